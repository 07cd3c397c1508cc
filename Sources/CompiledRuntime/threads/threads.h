// Threads, locks and clocks. By the file that has them.
#pragma once

#include "process/state.h"

// threads.c
// Those that constructors have made, and the main thread's values.
HIDDEN void lab_begin_keys(void);
// As pthread_join.
HIDDEN int lab_join(pthread_t handle, void **result, uint64_t site);
// The thread-local variables of C++ that the running thread has made.
HIDDEN void lab_destroy_variables(void);

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
// Those that the running thread holds when it ends.
HIDDEN void lab_abandon_mutexes(void);

// Where the runtime has a lock and a condition for what is at the address.
static inline const volatile void *lab_beside(const volatile void *object) {
    return (const volatile void *)((uint64_t)object | COMPILED_BESIDE);
}

// locks.c
// A step on the lock or the condition that the runtime makes something of: reports speak of the whole.
HIDDEN int64_t lab_inside(compiled_kind_t kind, lab_place_t place, int64_t deadline);
// Destroys what is at the address: a step, if other threads may use it.
HIDDEN void lab_destroy(const volatile void *object, uint32_t kind, uint64_t site);
// It is as new from here on. value: of a semaphore.
HIDDEN void lab_renew(const volatile void *object, uint32_t kind, int64_t value, uint64_t site);

// clock.c
// Reads the limit, and says whether a wait can have it: otherwise it fails with EINVAL.
HIDDEN int lab_is_limit(clockid_t clock, const struct timespec *limit, uint64_t site);
// The moment of the virtual clock that the time of this clock stands for, not before the beginning.
HIDDEN int64_t lab_deadline_of(clockid_t clock, const struct timespec *limit);
// The moment when this time has passed from now on.
HIDDEN int64_t lab_deadline_after(const struct timespec *duration);
