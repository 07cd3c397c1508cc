// Threads, locks and clocks. By the file that has them.
#pragma once

#include "process/state.h"

// threads.c
// As pthread_join.
HIDDEN int lab_join(pthread_t handle, void **result, uint64_t site);

// mutexes.c
HIDDEN uint32_t lab_mutex_kind(const pthread_mutex_t *mutex);
HIDDEN int lab_lock(pthread_mutex_t *mutex, compiled_kind_t kind, int64_t deadline, uint64_t site);
// Releases one hold of it.
HIDDEN void lab_release(pthread_mutex_t *mutex, uint64_t site);

// robust.c
HIDDEN int lab_is_robust(const pthread_mutex_t *mutex);
// The running thread holds it from now on, or no longer: then the mark is returned that it is to be released with.
HIDDEN void lab_keep_robust(pthread_mutex_t *mutex, int has_owner_died);
HIDDEN int64_t lab_drop_robust(pthread_mutex_t *mutex);

// objects.c
// A step on an object of the program's: ends the execution if its memory is freed before.
HIDDEN int64_t lab_use(compiled_request_t request);
// A step on the lock or the condition that the runtime makes something of: reports speak of the whole.
HIDDEN int64_t lab_inside(compiled_kind_t kind, lab_place_t place, int64_t deadline);
// Destroys what is at the address: a step, if other threads may use it.
HIDDEN void lab_destroy(const volatile void *object, uint32_t kind, uint64_t site);
// It is as new from here on. value: of a semaphore.
HIDDEN void lab_renew(const volatile void *object, uint32_t kind, int64_t value, uint64_t site);

// deadlines.c
// What a calendar shows at the beginning of every execution: 2024-01-01, in seconds of Unix.
#define LAB_EPOCH ((int64_t)1704067200)
// In nanoseconds.
#define LAB_SECOND ((int64_t)1000000000)
HIDDEN int64_t lab_start_of(clockid_t clock);
HIDDEN int lab_is_time(const struct timespec *time);
HIDDEN int64_t lab_nanoseconds(const struct timespec *time);
// The moment when these nanoseconds have passed from now on.
HIDDEN int64_t lab_after(int64_t duration);
// Reads the limit, and says whether a wait can have it: otherwise it fails with EINVAL.
HIDDEN int lab_is_limit(clockid_t clock, const struct timespec *limit, uint64_t site);
// The moment of the virtual clock that the time of this clock stands for, not before the beginning.
HIDDEN int64_t lab_deadline_of(clockid_t clock, const struct timespec *limit);
// The moment when this time has passed from now on.
HIDDEN int64_t lab_deadline_after(const struct timespec *duration);
