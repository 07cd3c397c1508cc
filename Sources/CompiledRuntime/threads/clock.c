// The program's clocks and sleeps. Time is virtual: it passes only when the engine says so.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Linux has the clocks 0 to 11 (CLOCK_TAI), of which 10 is unused. A negative number is the clock of a process or a
// thread.
static int is_clock(clockid_t clock) {
    enum { UNUSED = 10 };
    return clock <= CLOCK_TAI && clock != UNUSED;
}

// Sleeps in a program whose threads can be cancelled or get signals. If a signal handler ends the sleep, returns the
// time that was left; otherwise 0.
static int64_t sleep_interruptibly(int64_t deadline, uint64_t site) {
    int me = lab_state->current;
    // No other thread waits at this place: only the address matters, which is the thread's own.
    lab_place_t place = {.address = &lab_state->fibers[me].cancellation.is_point, .site = site, .text = "sleep of", .thread = me};
    while (1) {
        int is_late = 0;
        lab_enter(place);
        while (!is_late && !lab_is_interrupted()) is_late = !lab_wait(place, deadline);
        if (!lab_leave(place) || is_late) return 0;
        if (lab_answer(site) == lab_not_handled) continue;
        int64_t left = deadline - lab_state->program.now;
        // Not 0, which would mean that no handler has ended the sleep.
        return left > 1 ? left : 1;
    }
}

// Returns the time that was left if a signal handler ended the sleep, otherwise 0.
static int64_t sleep_until(int64_t deadline, uint64_t site) {
    if (lab_can_be_interrupted()) return sleep_interruptibly(deadline, site);
    int64_t duration = deadline > lab_state->program.now ? deadline - lab_state->program.now : 0;
    lab_ask((compiled_request_t){.kind = compiled_sleep, .a = duration, .b = deadline, .site = site});
    return 0;
}

static int64_t sleep_for(int64_t duration, uint64_t site) { return sleep_until(lab_after(duration), site); }

// The result of a sleep that reports an interruption in errno.
static int result_of(int64_t left) {
    if (!left) return 0;
    errno = EINTR;
    return -1;
}

// Stores what was left of an interrupted sleep, if the caller wants to know it.
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

int lab_sleep(const struct timespec *duration, struct timespec *rest, uint64_t site) {
    if (!lab_runs_program()) return REAL(nanosleep, int, const struct timespec *, struct timespec *)(duration, rest);
    lab_note_access(duration, sizeof *duration, 0, site);
    if (!lab_is_time(duration) || duration->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    int64_t left = sleep_for(lab_nanoseconds(duration), site);
    keep_rest(rest, left, site);
    return result_of(left);
}

EXPORTED int nanosleep(const struct timespec *duration, struct timespec *rest) { return lab_sleep(duration, rest, SITE_OF_WAIT); }

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
    // The time of the thread's last read of a clock.
    int64_t time;
    // The number of reads since more than 1 ms of virtual time last passed between two of them: `count` all of them,
    // `idle_count` those after the thread's last step of another kind.
    uint32_t count, idle_count;
} reads_t;
LAB_EACH_THREAD(reads_t, reads);

// Yields, sleeps, reads of clocks and reads in a loop that only reads (spins.c) are idle; all other steps are work.
static void begin_step(fiber_t *running, compiled_request_t *request) {
    (void)running;
    int is_idle = lab_is_pause(request) || request->watch || request->kind == compiled_read_clock || request->kind == compiled_sleep;
    if (!is_idle) reads[lab_state->current].idle_count = 0;
}
LAB_BEFORE_STEP(LAB_FIRST, begin_step);

// Returns how long the thread sleeps after a read of a clock, in nanoseconds, so that a loop that waits for a time
// ends. A thread that takes only idle steps waits for nothing but time: after 64 reads, each read lets twice as much
// time pass as the one before, from 2 µs to 1 s. A thread that works between its reads lets 0.1 ms pass per read after
// 256 reads.
static int64_t pause_after_read(reads_t *own) {
    enum { MANY_IDLE = 64, MICROSECOND = 1000, DOUBLINGS = 20, MANY = 256, LITTLE = 100 * MICROSECOND };
    if (lab_state->program.now > own->time + 10 * LITTLE) own->count = own->idle_count = 0;
    own->count++;
    own->idle_count++;
    if (own->idle_count <= MANY_IDLE) return own->count <= MANY ? 0 : LITTLE;
    uint32_t doublings = own->idle_count - MANY_IDLE;
    return (int64_t)MICROSECOND << (doublings < DOUBLINGS ? doublings : DOUBLINGS);
}

// Returns the virtual time. Reading a clock is a step, because time may have passed since the thread's last step.
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

// The processor time of the process, as if it had computed during the whole execution.
EXPORTED clock_t clock(void) {
    if (!is_controlled()) return REAL(clock, clock_t, void)();
    return read_clock(SITE) / (LAB_SECOND / CLOCKS_PER_SEC);
}

#endif
