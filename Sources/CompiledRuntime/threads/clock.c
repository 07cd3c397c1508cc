// Time, which is virtual: it passes when the engine says so.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// What a calendar shows at the beginning of every execution: 2024-01-01, in seconds of Unix.
static const int64_t EPOCH = 1704067200;
static const int64_t SECOND = 1000000000;

static int64_t start_of(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? EPOCH * SECOND : 0;
}

static int is_time(const struct timespec *time) { return time->tv_nsec >= 0 && time->tv_nsec < SECOND; }

// Those of Linux, and negative numbers, which are clocks of processes.
static int is_clock(clockid_t clock) { return clock <= CLOCK_TAI && clock != 10; }

int lab_is_limit(clockid_t clock, const struct timespec *limit, uint64_t site) {
    lab_note_access(limit, sizeof *limit, 0, site);
    return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && is_time(limit);
}

static int64_t nanoseconds(const struct timespec *time) {
    int64_t result;
    if (__builtin_mul_overflow(time->tv_sec, SECOND, &result) || __builtin_add_overflow(result, time->tv_nsec, &result)) {
        return time->tv_sec < 0 ? 0 : COMPILED_NEVER - 1;
    }
    return result;
}

int64_t lab_deadline_of(clockid_t clock, const struct timespec *limit) {
    int64_t deadline = nanoseconds(limit) - start_of(clock);
    return deadline < 0 ? 0 : deadline;
}

// Returns what is left of the time when a signal's handler has ended the sleep; 0: nothing.
static int64_t sleep_interruptibly(int64_t deadline, uint64_t site) {
    int me = lab_state->current;
    // No other thread waits there.
    lab_place_t place = {.address = &lab_state->fibers[me].cancellation.is_point, .site = site, .text = "sleep of", .thread = me};
    while (1) {
        int is_late = 0;
        lab_enter(place);
        while (!is_late && !lab_is_interrupted()) is_late = !lab_wait(place, deadline);
        if (!lab_leave(place) || is_late) return 0;
        if (lab_answer(site) == lab_not_handled) continue;
        int64_t left = deadline - lab_state->program.now;
        return left > 1 ? left : 1;
    }
}

static int64_t sleep_until(int64_t deadline, uint64_t site) {
    if (lab_can_be_interrupted()) return sleep_interruptibly(deadline, site);
    int64_t duration = deadline > lab_state->program.now ? deadline - lab_state->program.now : 0;
    lab_ask((compiled_request_t){.kind = compiled_sleep, .a = duration, .b = deadline, .site = site});
    return 0;
}

static int64_t after(int64_t duration) {
    int64_t deadline;
    if (__builtin_add_overflow(lab_state->program.now, duration < 0 ? 0 : duration, &deadline)) return COMPILED_NEVER - 1;
    return deadline;
}

int64_t lab_deadline_after(const struct timespec *duration) { return after(nanoseconds(duration)); }

static int64_t sleep_for(int64_t duration, uint64_t site) { return sleep_until(after(duration), site); }

static int result_of(int64_t left) {
    if (!left) return 0;
    errno = EINTR;
    return -1;
}

static void keep_rest(struct timespec *rest, int64_t left, uint64_t site) {
    if (!rest || !left) return;
    lab_note_access(rest, sizeof *rest, 1, site);
    *rest = (struct timespec){left / SECOND, left % SECOND};
}

EXPORTED unsigned sleep(unsigned seconds) {
    if (!lab_runs_program()) return REAL(sleep, unsigned, unsigned)(seconds);
    return (unsigned)(sleep_for(seconds * SECOND, SITE_OF_WAIT) / SECOND);
}

EXPORTED int usleep(useconds_t microseconds) {
    if (!lab_runs_program()) return REAL(usleep, int, useconds_t)(microseconds);
    return result_of(sleep_for(microseconds * (int64_t)1000, SITE_OF_WAIT));
}

EXPORTED int nanosleep(const struct timespec *duration, struct timespec *rest) {
    if (!lab_runs_program()) return REAL(nanosleep, int, const struct timespec *, struct timespec *)(duration, rest);
    lab_note_access(duration, sizeof *duration, 0, SITE);
    if (!is_time(duration) || duration->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    int64_t left = sleep_for(nanoseconds(duration), SITE_OF_WAIT);
    keep_rest(rest, left, SITE);
    return result_of(left);
}

EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    if (!is_controlled()) {
        return REAL(clock_nanosleep, int, clockid_t, int, const struct timespec *, struct timespec *)(clock, flags, time, rest);
    }
    lab_note_access(time, sizeof *time, 0, SITE);
    if (!is_clock(clock) || clock == CLOCK_THREAD_CPUTIME_ID || !is_time(time) || time->tv_sec < 0) return EINVAL;
    if (flags & TIMER_ABSTIME) return sleep_until(lab_deadline_of(clock, time), SITE_OF_WAIT) ? EINTR : 0;
    int64_t left = sleep_for(nanoseconds(time), SITE_OF_WAIT);
    keep_rest(rest, left, SITE);
    return left ? EINTR : 0;
}

// A thread that reads nearly the same time again and again, and takes no other step, waits for nothing but time, so that passes: more of it with each
// read. For one that works meanwhile a little passes, as it would on a processor.
static int64_t pause_after_read(fiber_t *fiber) {
    enum { MANY_IDLE = 64, DOUBLINGS = 20, MANY = 256, LITTLE = 100000 };
    if (lab_state->program.now > fiber->time + 10 * LITTLE) fiber->time_reads = fiber->idle_reads = 0;
    fiber->time_reads++;
    fiber->idle_reads++;
    if (fiber->idle_reads <= MANY_IDLE) return fiber->time_reads <= MANY ? 0 : LITTLE;
    uint32_t doublings = fiber->idle_reads - MANY_IDLE;
    return (int64_t)1000 << (doublings < DOUBLINGS ? doublings : DOUBLINGS);
}

// A step, because time may have passed since the last one.
static int64_t read_clock(uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_read_clock, .site = site});
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    int64_t pause = pause_after_read(fiber);
    if (pause) sleep_for(pause, site);
    return fiber->time = lab_state->program.now;
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!is_controlled()) return REAL(clock_gettime, int, clockid_t, struct timespec *)(clock, time);
    if (!is_clock(clock)) {
        errno = EINVAL;
        return -1;
    }
    int64_t now = start_of(clock) + read_clock(SITE);
    lab_note_access(time, sizeof *time, 1, SITE);
    *time = (struct timespec){now / SECOND, now % SECOND};
    return 0;
}

EXPORTED int gettimeofday(struct timeval *time, void *zone) {
    if (!is_controlled()) return REAL(gettimeofday, int, struct timeval *, void *)(time, zone);
    int64_t now = start_of(CLOCK_REALTIME) + read_clock(SITE);
    lab_note_access(time, sizeof *time, 1, SITE);
    *time = (struct timeval){now / SECOND, now % SECOND / 1000};
    return 0;
}

EXPORTED time_t time(time_t *result) {
    if (!is_controlled()) return REAL(time, time_t, time_t *)(result);
    time_t now = EPOCH + read_clock(SITE) / SECOND;
    if (result) lab_note_access(result, sizeof *result, 1, SITE), *result = now;
    return now;
}

EXPORTED int timespec_get(struct timespec *time, int base) {
    if (!is_controlled() || base != TIME_UTC) return REAL(timespec_get, int, struct timespec *, int)(time, base);
    int64_t now = start_of(CLOCK_REALTIME) + read_clock(SITE);
    lab_note_access(time, sizeof *time, 1, SITE);
    *time = (struct timespec){now / SECOND, now % SECOND};
    return base;
}

// As if the processor had worked all the time.
EXPORTED clock_t clock(void) {
    if (!is_controlled()) return REAL(clock, clock_t, void)();
    return read_clock(SITE) / (SECOND / CLOCKS_PER_SEC);
}

#endif
