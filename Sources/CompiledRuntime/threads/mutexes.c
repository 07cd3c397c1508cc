// Mutexes. The engine decides what each operation does. The kind of a mutex, its owner and how often the owner holds it
// are in the fields of the mutex in which the C library keeps them.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <time.h>

// The engine's answers to an attempt to lock: Mutexes.Locked of the module Machine.
enum { locked_busy, locked_taken, locked_owner_died, locked_never };

// The number of the thread that holds the mutex, plus one. 0: none.
static int *owner(pthread_mutex_t *mutex) { return &mutex->__data.__owner; }

// In glibc, the two lowest bits of the kind are the type of the mutex.
uint32_t lab_mutex_kind(const pthread_mutex_t *mutex) {
    enum { TYPE_MASK = 3 };
    switch (mutex->__data.__kind & TYPE_MASK) {
    case PTHREAD_MUTEX_RECURSIVE: return compiled_recursive_mutex;
    case PTHREAD_MUTEX_ERRORCHECK: return compiled_error_checking_mutex;
    default: return compiled_normal_mutex;
    }
}

// The C library, too, sets this kind when it destroys a mutex.
enum { destroyed_kind = -1 };
// The first bytes of a mutex, which any initialization writes.
enum { WRITTEN = 16 };

int lab_lock(pthread_mutex_t *mutex, compiled_kind_t kind, int64_t deadline, uint64_t site) {
    lab_check_use((uint64_t)mutex, sizeof *mutex, site);
    lab_note_object(mutex, sizeof *mutex, site);
    uint32_t detail = lab_mutex_kind(mutex);
    int me = lab_state->current + 1;
    if (detail == compiled_error_checking_mutex && *owner(mutex) == me) return kind == compiled_try_lock ? EBUSY : EDEADLK;
    compiled_request_t request = {.kind = kind, .detail = detail, .object = (uint64_t)mutex, .b = deadline, .site = site};
    int64_t answer;
    // A thread that holds the mutex already can never get it, unless the mutex is recursive. The engine explains such a
    // deadlock best if the thread asks for the lock itself, not in attempts.
    if (kind != compiled_try_lock && *owner(mutex) != me && lab_can_be_signalled()) {
        request.kind = compiled_try_lock;
        answer = lab_lock_interruptibly(request, deadline);
    } else {
        answer = lab_use(request);
    }
    if (mutex->__data.__kind == destroyed_kind) lab_refuse_unmade(mutex, site);
    if (lab_is_unmade(mutex, WRITTEN)) lab_refuse_unmade(mutex, site);
    if (answer == locked_busy) return kind == compiled_try_lock ? EBUSY : ETIMEDOUT;
    if (answer == locked_never) return ENOTRECOVERABLE;
    *owner(mutex) = me;
    if (mutex->__data.__count++ == 0 && lab_is_robust(mutex)) lab_keep_robust(mutex, answer == locked_owner_died);
    return answer == locked_owner_died ? EOWNERDEAD : 0;
}

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (is_controlled()) return lab_lock(mutex, compiled_lock, COMPILED_NEVER, SITE_OF_WAIT);
    return REAL(pthread_mutex_lock, int, pthread_mutex_t *)(mutex);
}

EXPORTED int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (is_controlled()) return lab_lock(mutex, compiled_try_lock, 0, SITE);
    return REAL(pthread_mutex_trylock, int, pthread_mutex_t *)(mutex);
}

// An invalid time limit is an error only if the mutex is not free.
static int lock_until(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit, uint64_t site) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    if (lab_is_limit(clock, limit, site)) return lab_lock(mutex, compiled_lock_until, lab_deadline_of(clock, limit), site);
    int result = lab_lock(mutex, compiled_try_lock, 0, site);
    return result == EBUSY ? EINVAL : result;
}

EXPORTED int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *limit) {
    if (is_controlled()) return lock_until(mutex, CLOCK_REALTIME, limit, SITE_OF_WAIT);
    return REAL(pthread_mutex_timedlock, int, pthread_mutex_t *, const struct timespec *)(mutex, limit);
}

EXPORTED int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit) {
    if (is_controlled()) return lock_until(mutex, clock, limit, SITE_OF_WAIT);
    return REAL(pthread_mutex_clocklock, int, pthread_mutex_t *, clockid_t, const struct timespec *)(mutex, clock, limit);
}

// The thread handles signals before the release or after it, not during it (`held`): a handler finds the mutex either
// held or free.
void lab_release(pthread_mutex_t *mutex, uint64_t site) {
    int64_t mark = 0;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    if (!fiber->held) lab_look_first(site);
    if (*owner(mutex) == lab_state->current + 1 && --mutex->__data.__count == 0) {
        *owner(mutex) = 0;
        if (lab_is_robust(mutex)) mark = lab_drop_robust(mutex);
    }
    fiber->held++;
    lab_use((compiled_request_t){
        .kind = compiled_unlock, .detail = lab_mutex_kind(mutex), .object = (uint64_t)mutex, .a = mark, .site = site});
    fiber->held--;
    lab_wake_lockers(mutex, site);
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!is_controlled()) return REAL(pthread_mutex_unlock, int, pthread_mutex_t *)(mutex);
    lab_test_asynchronous(SITE);
    lab_check_use((uint64_t)mutex, 1, SITE);
    int knows_owner = lab_mutex_kind(mutex) != compiled_normal_mutex || lab_is_robust(mutex);
    if (knows_owner && *owner(mutex) != lab_state->current + 1) return EPERM;
    lab_release(mutex, SITE);
    return 0;
}

EXPORTED int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    lab_destroy(mutex, lab_mutex_kind(mutex), SITE);
    if (attributes) lab_note_access(attributes, sizeof *attributes, 0, SITE);
    int result = REAL(pthread_mutex_init, int, pthread_mutex_t *, const pthread_mutexattr_t *)(mutex, attributes);
    lab_renew(mutex, lab_mutex_kind(mutex), 0, SITE);
    return result;
}

EXPORTED int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    if (!is_controlled()) return REAL(pthread_mutex_destroy, int, pthread_mutex_t *)(mutex);
    lab_use((compiled_request_t){.kind = compiled_destroy, .detail = lab_mutex_kind(mutex), .object = (uint64_t)mutex, .site = SITE});
    mutex->__data.__kind = destroyed_kind;
    return 0;
}

#endif
