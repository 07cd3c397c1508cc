// POSIX semaphores. The engine decides what each operation does. The number of permits is also in the semaphore's
// memory, where the C library keeps it. From there the engine gets the number for a semaphore that it does not know
// yet.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

static int *permits(sem_t *semaphore) { return (int *)semaphore; }

// The word after the permits. The C library counts waiting threads there, so -1 marks a destroyed semaphore, until
// sem_init sets it to 0.
static int *mark(sem_t *semaphore) { return permits(semaphore) + 1; }
enum { destroyed_mark = -1 };
// The bytes that sem_init writes.
enum { WRITTEN = 12 };

static int64_t semaphore_request(compiled_kind_t kind, sem_t *semaphore, int64_t deadline, uint64_t site) {
    lab_check_use((uint64_t)semaphore, sizeof *semaphore, site);
    lab_note_object(semaphore, sizeof *semaphore, site);
    // An uninitialized semaphore gets one permit, so that the step does not block. Its use is reported after the step.
    uint32_t count = lab_is_unmade(semaphore, WRITTEN) ? 1 : (uint32_t)*permits(semaphore);
    int64_t answer = lab_use((compiled_request_t){
        .kind = kind, .detail = count, .object = (uint64_t)semaphore, .b = deadline, .site = site});
    if (*mark(semaphore) == destroyed_mark || lab_is_unmade(semaphore, WRITTEN)) lab_refuse_unmade(semaphore, site);
    return answer;
}

// sem_wait in a program that cancels threads or handles signals. A cancellation or a signal could not end the engine's
// own wait. So the thread only tries to take a permit, and between two attempts it waits at a condition beside the
// semaphore, which sem_post, pthread_cancel and signals broadcast. Returns 0 or an error number.
static int take_interruptibly(sem_t *semaphore, int64_t deadline, uint64_t site) {
    lab_place_t place = {.address = lab_beside(semaphore), .site = site};
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    while (1) {
        lab_enter(place);
        int64_t is_taken;
        int is_late = 0;
        for (;; is_late = !lab_wait(place, deadline)) {
            is_taken = semaphore_request(compiled_semaphore_try_wait, semaphore, 0, site);
            // Without a step between: a sem_post that comes after the attempt finds this thread here.
            fiber->condition = is_taken || is_late || lab_is_interrupted() ? NULL : semaphore;
            if (!fiber->condition) break;
        }
        if (is_taken) --*permits(semaphore);
        int is_interrupted = lab_leave(place);
        if (is_taken) return 0;
        // If the thread is cancelled as its time ends, it is cancelled: lab_answer does not return.
        lab_handled_t handled = is_interrupted ? lab_answer(site) : lab_not_handled;
        if (is_late) return ETIMEDOUT;
        if (handled == lab_ends) return EINTR;
    }
}

// Wakes the threads that wait in take_interruptibly.
static void wake_interruptible(sem_t *semaphore, uint64_t site) {
    for (int thread = 0; (lab_state->cancels || lab_state->handles_signals) && thread < lab_state->thread_count; thread++) {
        if (lab_state->fibers[thread].condition != semaphore) continue;
        // The place is beside the semaphore: a thread that has got the permit may have freed the semaphore by now.
        lab_place_t place = {.address = lab_beside(semaphore), .site = site};
        lab_inside(compiled_lock, place, COMPILED_NEVER);
        lab_wake_all(place);
        lab_inside(compiled_unlock, place, COMPILED_NEVER);
        return;
    }
}

// Takes a permit. failure: the error number if a request of this kind ends without one. Returns 0, or -1 with errno.
static int take(compiled_kind_t kind, sem_t *semaphore, int64_t deadline, int failure, uint64_t site) {
    int waits = kind != compiled_semaphore_try_wait && lab_can_be_interrupted();
    if (waits) {
        failure = take_interruptibly(semaphore, deadline, site);
        if (!failure) return 0;
    } else if (semaphore_request(kind, semaphore, deadline, site)) {
        --*permits(semaphore);
        return 0;
    }
    errno = failure;
    return -1;
}

static int take_until(sem_t *semaphore, clockid_t clock, const struct timespec *limit, uint64_t site) {
    if (lab_is_limit(clock, limit, site)) {
        return take(compiled_semaphore_wait_until, semaphore, lab_deadline_of(clock, limit), ETIMEDOUT, site);
    }
    errno = EINVAL;
    return -1;
}

EXPORTED int sem_init(sem_t *semaphore, int shared, unsigned value) {
    if (!is_controlled() || value > SEM_VALUE_MAX) return REAL(sem_init, int, sem_t *, int, unsigned)(semaphore, shared, value);
    lab_destroy(semaphore, compiled_of_semaphore, SITE);
    REAL(sem_init, int, sem_t *, int, unsigned)(semaphore, shared, value);
    *permits(semaphore) = (int)value;
    lab_renew(semaphore, compiled_of_semaphore, value, SITE);
    return 0;
}

EXPORTED int sem_destroy(sem_t *semaphore) {
    if (!is_controlled()) return REAL(sem_destroy, int, sem_t *)(semaphore);
    lab_destroy(semaphore, compiled_of_semaphore, SITE);
    *mark(semaphore) = destroyed_mark;
    return 0;
}

EXPORTED int sem_wait(sem_t *semaphore) {
    if (is_controlled()) return take(compiled_semaphore_wait, semaphore, COMPILED_NEVER, EINVAL, SITE_OF_WAIT);
    return REAL(sem_wait, int, sem_t *)(semaphore);
}

EXPORTED int sem_trywait(sem_t *semaphore) {
    if (is_controlled()) return take(compiled_semaphore_try_wait, semaphore, 0, EAGAIN, SITE);
    return REAL(sem_trywait, int, sem_t *)(semaphore);
}

EXPORTED int sem_timedwait(sem_t *semaphore, const struct timespec *limit) {
    if (is_controlled()) return take_until(semaphore, CLOCK_REALTIME, limit, SITE_OF_WAIT);
    return REAL(sem_timedwait, int, sem_t *, const struct timespec *)(semaphore, limit);
}

EXPORTED int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *limit) {
    if (is_controlled()) return take_until(semaphore, clock, limit, SITE_OF_WAIT);
    return REAL(sem_clockwait, int, sem_t *, clockid_t, const struct timespec *)(semaphore, clock, limit);
}

EXPORTED int sem_post(sem_t *semaphore) {
    if (!is_controlled()) return REAL(sem_post, int, sem_t *)(semaphore);
    semaphore_request(compiled_semaphore_signal, semaphore, 0, SITE);
    ++*permits(semaphore);
    wake_interruptible(semaphore, SITE);
    return 0;
}

EXPORTED int sem_getvalue(sem_t *semaphore, int *value) {
    if (!is_controlled()) return REAL(sem_getvalue, int, sem_t *, int *)(semaphore, value);
    int found = (int)semaphore_request(compiled_semaphore_value, semaphore, 0, SITE);
    lab_note_access(value, sizeof *value, 1, SITE);
    *value = found;
    return 0;
}

#endif
