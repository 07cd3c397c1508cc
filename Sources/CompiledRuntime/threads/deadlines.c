// Converts the times that a program gives to waits and sleeps into times of the virtual clock, in nanoseconds. That
// clock is 0 when an execution begins. A time that is too large becomes the last one before COMPILED_NEVER.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <time.h>

int64_t lab_start_of(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI: return LAB_EPOCH * LAB_SECOND;
    default: return 0;
    }
}

int lab_is_time(const struct timespec *time) { return time->tv_nsec >= 0 && time->tv_nsec < LAB_SECOND; }

int lab_is_limit(clockid_t clock, const struct timespec *limit, uint64_t site) {
    lab_note_access(limit, sizeof *limit, 0, site);
    return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && lab_is_time(limit);
}

int64_t lab_nanoseconds(const struct timespec *time) {
    int64_t result;
    if (__builtin_mul_overflow(time->tv_sec, LAB_SECOND, &result) || __builtin_add_overflow(result, time->tv_nsec, &result)) {
        return time->tv_sec < 0 ? 0 : COMPILED_NEVER - 1;
    }
    return result;
}

int64_t lab_deadline_of(clockid_t clock, const struct timespec *limit) {
    int64_t time = lab_nanoseconds(limit), start = lab_start_of(clock);
    return time < start ? 0 : time - start;
}

int64_t lab_after(int64_t duration) {
    int64_t deadline;
    if (__builtin_add_overflow(lab_state->program.now, duration < 0 ? 0 : duration, &deadline)) return COMPILED_NEVER - 1;
    return deadline;
}

int64_t lab_deadline_after(const struct timespec *duration) { return lab_after(lab_nanoseconds(duration)); }

#endif
