// Threads, locks and clocks. The declarations are grouped by the file that implements them.
#pragma once

#include "process/state.h"

// threads.c
// Like pthread_join and pthread_key_create, with the site of the program's call.
HIDDEN int lab_join(pthread_t handle, void **result, uint64_t site);
HIDDEN int lab_create_key(pthread_key_t *key, void (*destructor)(void *), uint64_t site);

// mutexes.c
// The kind of the mutex: a compiled_object_t.
HIDDEN uint32_t lab_mutex_kind(const pthread_mutex_t *mutex);
// Locks the mutex by the request `kind`: compiled_lock, compiled_lock_until or compiled_try_lock. Returns an error
// number of POSIX, or 0.
HIDDEN int lab_lock(pthread_mutex_t *mutex, compiled_kind_t kind, int64_t deadline, uint64_t site);
// Releases one hold of the mutex.
HIDDEN void lab_release(pthread_mutex_t *mutex, uint64_t site);

// robust.c
HIDDEN int lab_is_robust(const pthread_mutex_t *mutex);
// Notes that the running thread holds the mutex. has_owner_died: the last owner ended while it held the mutex.
HIDDEN void lab_keep_robust(pthread_mutex_t *mutex, int has_owner_died);
// Notes that the running thread is about to release the mutex. Returns the mark that the release leaves on it for the
// engine: 0, or another one if the mutex has become unusable (robust.c).
HIDDEN int64_t lab_drop_robust(pthread_mutex_t *mutex);

// objects.c
// Takes a step on a lock, condition or semaphore of the program's. Ends the execution if the object's memory was freed.
HIDDEN int64_t lab_use(compiled_request_t request);
// Takes a step on the runtime's lock or condition at this place, which is a part of a barrier, a pipe or the like.
// Reports name the whole object.
HIDDEN int64_t lab_inside(compiled_kind_t kind, lab_place_t place, int64_t deadline);
// Destroys the object: a step, if other threads may use it.
HIDDEN void lab_destroy(const volatile void *object, uint32_t kind, uint64_t site);
// Notes that the object was initialized. value: the permits of a semaphore.
HIDDEN void lab_renew(const volatile void *object, uint32_t kind, int64_t value, uint64_t site);

// clock.c
// Like nanosleep, with the site of the program's call.
HIDDEN int lab_sleep(const struct timespec *duration, struct timespec *rest, uint64_t site);

// deadlines.c
// The time of the real-time clock at the beginning of every execution: 2024-01-01, in seconds since 1970.
#define LAB_EPOCH ((int64_t)1704067200)
// A second in nanoseconds.
#define LAB_SECOND ((int64_t)1000000000)
// The time of this clock when an execution begins, in nanoseconds. The virtual clock is 0 then.
HIDDEN int64_t lab_start_of(clockid_t clock);
// Whether tv_nsec is valid: from 0 to less than a second.
HIDDEN int lab_is_time(const struct timespec *time);
// The time in nanoseconds, or the nearest possible value.
HIDDEN int64_t lab_nanoseconds(const struct timespec *time);
// The virtual time at which this duration, in nanoseconds, is over.
HIDDEN int64_t lab_after(int64_t duration);
// Reads the limit. Returns whether it is valid for a wait by this clock.
HIDDEN int lab_is_limit(clockid_t clock, const struct timespec *limit, uint64_t site);
// The virtual time at which the clock shows this time, or 0 if that was before the beginning of the execution.
HIDDEN int64_t lab_deadline_of(clockid_t clock, const struct timespec *limit);
// The virtual time at which this duration is over.
HIDDEN int64_t lab_deadline_after(const struct timespec *duration);
