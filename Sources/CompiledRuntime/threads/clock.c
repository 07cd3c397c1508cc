// Time, which is virtual: it passes when the engine says so.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Those of Linux, and negative numbers, which are clocks of processes.
static int is_clock(clockid_t clock) { return clock <= CLOCK_TAI && clock != 10; }

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

static int64_t sleep_for(int64_t duration, uint64_t site) { return sleep_until(lab_after(duration), site); }

static int result_of(int64_t left) {
    if (!left) return 0;
    errno = EINTR;
    return -1;
}

static void keep_rest(struct timespec *rest, int64_t left, uint64_t site) {
    if (!rest || !left) return;
    lab_note_access(rest, sizeof *rest, 1, site);
    *rest = (struct timespec){left / LAB_SECOND, left % LAB_SECOND};
}

EXPORTED unsigned sleep(unsigned seconds) {
    if (!lab_runs_program()) return REAL(sleep, unsigned, unsigned)(seconds);
    return (unsigned)(sleep_for(seconds * LAB_SECOND, SITE_OF_WAIT) / LAB_SECOND);
}

EXPORTED int usleep(useconds_t microseconds) {
    if (!lab_runs_program()) return REAL(usleep, int, useconds_t)(microseconds);
    return result_of(sleep_for(microseconds * (int64_t)1000, SITE_OF_WAIT));
}

EXPORTED int nanosleep(const struct timespec *duration, struct timespec *rest) {
    if (!lab_runs_program()) return REAL(nanosleep, int, const struct timespec *, struct timespec *)(duration, rest);
    lab_note_access(duration, sizeof *duration, 0, SITE);
    if (!lab_is_time(duration) || duration->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    int64_t left = sleep_for(lab_nanoseconds(duration), SITE_OF_WAIT);
    keep_rest(rest, left, SITE);
    return result_of(left);
}

EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    if (!is_controlled()) {
        return REAL(clock_nanosleep, int, clockid_t, int, const struct timespec *, struct timespec *)(clock, flags, time, rest);
    }
    lab_note_access(time, sizeof *time, 0, SITE);
    if (!is_clock(clock) || clock == CLOCK_THREAD_CPUTIME_ID || !lab_is_time(time) || time->tv_sec < 0) return EINVAL;
    if (flags & TIMER_ABSTIME) return sleep_until(lab_deadline_of(clock, time), SITE_OF_WAIT) ? EINTR : 0;
    int64_t left = sleep_for(lab_nanoseconds(time), SITE_OF_WAIT);
    keep_rest(rest, left, SITE);
    return left ? EINTR : 0;
}

typedef struct {
    // The time that the thread has read last, and how often it has done that since much had passed: in all, and with no other step between.
    int64_t time;
    uint32_t count, idle_count;
} reads_t;
LAB_EACH_THREAD(reads_t, reads);

static void begin_step(fiber_t *running, compiled_request_t *request) {
    (void)running;
    int is_idle = lab_is_pause(request) || request->watch || request->kind == compiled_read_clock || request->kind == compiled_sleep;
    if (!is_idle) reads[lab_state->current].idle_count = 0;
}
LAB_BEFORE_STEP(LAB_FIRST, begin_step);

// A thread that reads nearly the same time again and again, and takes no other step, waits for nothing but time, so that passes: more of it with each
// read. For one that works meanwhile a little passes, as it would on a processor.
static int64_t pause_after_read(reads_t *own) {
    enum { MANY_IDLE = 64, DOUBLINGS = 20, MANY = 256, LITTLE = 100000 };
    if (lab_state->program.now > own->time + 10 * LITTLE) own->count = own->idle_count = 0;
    own->count++;
    own->idle_count++;
    if (own->idle_count <= MANY_IDLE) return own->count <= MANY ? 0 : LITTLE;
    uint32_t doublings = own->idle_count - MANY_IDLE;
    return (int64_t)1000 << (doublings < DOUBLINGS ? doublings : DOUBLINGS);
}

// A step, because time may have passed since the last one.
static int64_t read_clock(uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_read_clock, .site = site});
    reads_t *own = &reads[lab_state->current];
    int64_t pause = pause_after_read(own);
    if (pause) sleep_for(pause, site);
    return own->time = lab_state->program.now;
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!is_controlled()) return REAL(clock_gettime, int, clockid_t, struct timespec *)(clock, time);
    if (!is_clock(clock)) {
        errno = EINVAL;
        return -1;
    }
    int64_t now = lab_start_of(clock) + read_clock(SITE);
    lab_note_access(time, sizeof *time, 1, SITE);
    *time = (struct timespec){now / LAB_SECOND, now % LAB_SECOND};
    return 0;
}

EXPORTED int gettimeofday(struct timeval *time, void *zone) {
    if (!is_controlled()) return REAL(gettimeofday, int, struct timeval *, void *)(time, zone);
    int64_t now = lab_start_of(CLOCK_REALTIME) + read_clock(SITE);
    lab_note_access(time, sizeof *time, 1, SITE);
    *time = (struct timeval){now / LAB_SECOND, now % LAB_SECOND / 1000};
    return 0;
}

EXPORTED time_t time(time_t *result) {
    if (!is_controlled()) return REAL(time, time_t, time_t *)(result);
    time_t now = LAB_EPOCH + read_clock(SITE) / LAB_SECOND;
    if (result) lab_note_access(result, sizeof *result, 1, SITE), *result = now;
    return now;
}

EXPORTED int timespec_get(struct timespec *time, int base) {
    if (!is_controlled() || base != TIME_UTC) return REAL(timespec_get, int, struct timespec *, int)(time, base);
    int64_t now = lab_start_of(CLOCK_REALTIME) + read_clock(SITE);
    lab_note_access(time, sizeof *time, 1, SITE);
    *time = (struct timespec){now / LAB_SECOND, now % LAB_SECOND};
    return base;
}

// As if the processor had worked all the time.
EXPORTED clock_t clock(void) {
    if (!is_controlled()) return REAL(clock, clock_t, void)();
    return read_clock(SITE) / (LAB_SECOND / CLOCKS_PER_SEC);
}

#endif
