// Mutexes. What they mean is decided by the engine; which kind one is stands where the C library keeps it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <errno.h>
#include <time.h>

// What the engine says of an attempt to lock: Machine's Mutexes.Locked.
enum { locked_busy, locked_taken, locked_owner_died, locked_never };

// The thread that holds it, plus one, and how often: for the kinds that tell their owner from others.
static int *owner(pthread_mutex_t *mutex) { return &mutex->__data.__owner; }

static uint32_t kind_of(const pthread_mutex_t *mutex) {
    switch (mutex->__data.__kind & 3) {
    case PTHREAD_MUTEX_RECURSIVE: return compiled_recursive_mutex;
    case PTHREAD_MUTEX_ERRORCHECK: return compiled_error_checking_mutex;
    default: return compiled_normal_mutex;
    }
}

static int lock(pthread_mutex_t *mutex, compiled_kind_t kind, int64_t deadline, uint64_t site) {
    lab_check_use((uint64_t)mutex, 1, site);
    uint32_t detail = kind_of(mutex);
    int me = lab_state->current + 1;
    if (detail == compiled_error_checking_mutex && *owner(mutex) == me) return kind == compiled_try_lock ? EBUSY : EDEADLK;
    int64_t answer = lab_ask((compiled_request_t){.kind = kind, .detail = detail, .object = (uint64_t)mutex, .b = deadline, .site = site});
    if (answer == locked_busy) return kind == compiled_try_lock ? EBUSY : ETIMEDOUT;
    if (answer == locked_never) return ENOTRECOVERABLE;
    *owner(mutex) = me;
    mutex->__data.__count++;
    return answer == locked_owner_died ? EOWNERDEAD : 0;
}

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (is_controlled()) return lock(mutex, compiled_lock, COMPILED_NEVER, SITE);
    return REAL(pthread_mutex_lock, int, pthread_mutex_t *)(mutex);
}

EXPORTED int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (is_controlled()) return lock(mutex, compiled_try_lock, 0, SITE);
    return REAL(pthread_mutex_trylock, int, pthread_mutex_t *)(mutex);
}

// A limit that is none matters only if the mutex is not free.
static int lock_until(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit, uint64_t site) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    if (lab_is_limit(clock, limit, site)) return lock(mutex, compiled_lock_until, lab_deadline_of(clock, limit), site);
    int result = lock(mutex, compiled_try_lock, 0, site);
    return result == EBUSY ? EINVAL : result;
}

EXPORTED int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *limit) {
    if (is_controlled()) return lock_until(mutex, CLOCK_REALTIME, limit, SITE);
    return REAL(pthread_mutex_timedlock, int, pthread_mutex_t *, const struct timespec *)(mutex, limit);
}

EXPORTED int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit) {
    if (is_controlled()) return lock_until(mutex, clock, limit, SITE);
    return REAL(pthread_mutex_clocklock, int, pthread_mutex_t *, clockid_t, const struct timespec *)(mutex, clock, limit);
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!is_controlled()) return REAL(pthread_mutex_unlock, int, pthread_mutex_t *)(mutex);
    lab_check_use((uint64_t)mutex, 1, SITE);
    uint32_t detail = kind_of(mutex);
    int is_own = *owner(mutex) == lab_state->current + 1;
    if (detail != compiled_normal_mutex && !is_own) return EPERM;
    if (is_own && --mutex->__data.__count == 0) *owner(mutex) = 0;
    lab_ask((compiled_request_t){.kind = compiled_unlock, .detail = detail, .object = (uint64_t)mutex, .site = SITE});
    return 0;
}

EXPORTED int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    lab_destroy(mutex, kind_of(mutex), SITE);
    if (attributes) lab_note_access(attributes, sizeof *attributes, 0, SITE);
    int result = REAL(pthread_mutex_init, int, pthread_mutex_t *, const pthread_mutexattr_t *)(mutex, attributes);
    lab_renew(mutex, kind_of(mutex), 0, SITE);
    return result;
}

EXPORTED int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    if (!is_controlled()) return REAL(pthread_mutex_destroy, int, pthread_mutex_t *)(mutex);
    lab_ask((compiled_request_t){.kind = compiled_destroy, .detail = kind_of(mutex), .object = (uint64_t)mutex, .site = SITE});
    return 0;
}

// MARK: - Conditions

EXPORTED int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    lab_destroy(condition, compiled_of_condition, SITE);
    lab_renew(condition, compiled_of_condition, 0, SITE);
    if (attributes) lab_note_access(attributes, sizeof *attributes, 0, SITE);
    return REAL(pthread_cond_init, int, pthread_cond_t *, const pthread_condattr_t *)(condition, attributes);
}

static int wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline, uint64_t site) {
    lab_check_use((uint64_t)condition, 1, site);
    int count = (int)mutex->__data.__count, holder = *owner(mutex);
    mutex->__data.__count = 0;
    *owner(mutex) = 0;
    int64_t answer = lab_ask((compiled_request_t){
        .kind = compiled_wait, .detail = kind_of(mutex), .object = (uint64_t)condition, .mutex = (uint64_t)mutex, .b = deadline,
        .site = site});
    mutex->__data.__count = (unsigned)count;
    *owner(mutex) = holder;
    return answer ? 0 : ETIMEDOUT;
}

static int wait_until(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit, uint64_t site) {
    if (!lab_is_limit(clock, limit, site)) return EINVAL;
    return wait(condition, mutex, lab_deadline_of(clock, limit), site);
}

EXPORTED int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    if (is_controlled()) return wait(condition, mutex, COMPILED_NEVER, SITE);
    return REAL(pthread_cond_wait, int, pthread_cond_t *, pthread_mutex_t *)(condition, mutex);
}

// The clock of a condition that was made with attributes is a bit of its flags.
static clockid_t clock_of(const pthread_cond_t *condition) {
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

EXPORTED int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *limit) {
    if (is_controlled()) return wait_until(condition, mutex, clock_of(condition), limit, SITE);
    return REAL(pthread_cond_timedwait, int, pthread_cond_t *, pthread_mutex_t *, const struct timespec *)(condition, mutex, limit);
}

EXPORTED int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit) {
    if (is_controlled()) return wait_until(condition, mutex, clock, limit, SITE);
    return REAL(pthread_cond_clockwait, int, pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)(
        condition, mutex, clock, limit);
}

static int wake(compiled_kind_t kind, pthread_cond_t *condition, uint64_t site) {
    lab_check_use((uint64_t)condition, 1, site);
    lab_ask((compiled_request_t){.kind = kind, .object = (uint64_t)condition, .site = site});
    return 0;
}

EXPORTED int pthread_cond_signal(pthread_cond_t *condition) {
    if (is_controlled()) return wake(compiled_signal, condition, SITE);
    return REAL(pthread_cond_signal, int, pthread_cond_t *)(condition);
}

EXPORTED int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (is_controlled()) return wake(compiled_broadcast, condition, SITE);
    return REAL(pthread_cond_broadcast, int, pthread_cond_t *)(condition);
}

EXPORTED int pthread_cond_destroy(pthread_cond_t *condition) {
    if (!is_controlled()) return REAL(pthread_cond_destroy, int, pthread_cond_t *)(condition);
    lab_destroy(condition, compiled_of_condition, SITE);
    return 0;
}

#endif
