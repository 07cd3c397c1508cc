// Conditions. The engine decides which thread a signal wakes, and when a wait ends. As a rule, a wait is one request.
// In programs that cancel threads, send and handle POSIX signals or use robust mutexes, it is made of several steps, so
// that other threads can interrupt it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <time.h>

// Waits by one request: the engine releases the mutex when the thread begins to wait, and locks it again however the
// wait ends. Returns 0 or ETIMEDOUT.
static int wait_for_signal(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline, uint64_t site) {
    int64_t answer = lab_ask((compiled_request_t){
        .kind = compiled_wait, .detail = lab_mutex_kind(mutex), .object = (uint64_t)condition, .mutex = (uint64_t)mutex, .b = deadline,
        .site = site});
    return answer ? 0 : ETIMEDOUT;
}

// Written to the flags of a destroyed condition. Initialization sets at most the two lowest bits, so no valid condition
// has this value.
enum { destroyed_flags = ~0u };
static int is_destroyed(const pthread_cond_t *condition) { return condition->__data.__wrefs == destroyed_flags; }

// The first bytes of a condition, which any initialization writes.
enum { WRITTEN = 16 };

// Ends the execution if the condition was destroyed or never initialized.
static void refuse_unmade(const pthread_cond_t *condition, uint64_t site) {
    if (is_destroyed(condition) || lab_is_unmade(condition, WRITTEN)) lab_refuse_unmade(condition, site);
}

// The place at which threads wait for the condition, if their waits are made of several steps. It is beside the
// condition (lab_beside), because the condition may be destroyed and freed as soon as its threads have been woken.
static lab_place_t place_of(const pthread_cond_t *condition, uint64_t site) {
    return (lab_place_t){.address = lab_beside(condition), .site = site, .is_condition = 1};
}

// A thread may end while it is registered as waiting: in a signal handler that interrupts the wait.
static void forget_condition(void) { lab_state->fibers[lab_state->current].condition = NULL; }
LAB_PHASE(lab_at_thread_end, LAB_EARLY, forget_condition);

// By thread: whether pthread_cond_signal or pthread_cond_broadcast has chosen this waiting thread.
LAB_EACH_THREAD(int, are_chosen);

// The place for the first step of a call, which also uses the memory of the condition itself.
static lab_place_t using(lab_place_t place) {
    place.is_use = 1;
    return place;
}

// The wait made of several steps. The condition has a lock beside it, under which threads register as waiting and are
// chosen. The wait ends when the thread is chosen, when its time is over, when it is cancelled, or spuriously: if the
// engine wakes it although no other thread woke all that wait here. While the thread runs a signal handler, it stays
// registered.
static int wait_in_steps(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline, uint64_t site) {
    lab_place_t place = place_of(condition, site);
    lab_note_interruptible();
    lab_enter(using(place));
    // Only before the wait: a thread that has been woken may find the condition destroyed, which POSIX allows.
    refuse_unmade(condition, site);
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    int *is_chosen = &are_chosen[lab_state->current];
    *is_chosen = 0;
    fiber->condition = condition;
    lab_release(mutex, site);
    int is_late = 0, is_cancelled = 0;
    while (1) {
        int was_disturbed = 1;
        while (!*is_chosen && !is_late && was_disturbed && !lab_is_interrupted()) {
            is_late = !lab_wait(place, deadline);
            was_disturbed = fiber->cancellation.is_disturbed;
        }
        int interruption = *is_chosen || is_late ? 0 : lab_is_interrupted();
        is_cancelled = (interruption & LAB_CANCELLED) && lab_can_be_cancelled();
        int stays = interruption && !is_cancelled;
        if (!stays) fiber->condition = NULL;
        lab_leave(place);
        if (!stays) break;
        lab_answer(site);
        fiber->condition = condition;
        lab_enter(place);
    }
    int result = lab_lock(mutex, compiled_lock, COMPILED_NEVER, site);
    if (is_cancelled) lab_unwind(PTHREAD_CANCELED);
    if (result) return result;
    return is_late && !*is_chosen ? ETIMEDOUT : 0;
}

// As POSIX says, a wait releases one hold of the mutex. The mutex's fields, as the C library knows them, are cleared
// for the time of the wait.
static int wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline, uint64_t site) {
    lab_check_use((uint64_t)condition, sizeof *condition, site);
    lab_note_object(condition, sizeof *condition, site);
    refuse_unmade(condition, site);
    if (lab_state->waits_in_steps) return wait_in_steps(condition, mutex, deadline, site);
    if (lab_is_robust(mutex)) lab_learn_fact(HAS_ROBUST_MUTEXES, "waits with a robust mutex", site);
    unsigned count = mutex->__data.__count;
    int holder = mutex->__data.__owner;
    mutex->__data.__count = 0;
    mutex->__data.__owner = 0;
    int result = wait_for_signal(condition, mutex, deadline, site);
    lab_check_use((uint64_t)mutex, 1, site);
    mutex->__data.__count = count;
    mutex->__data.__owner = holder;
    return result;
}

static int wait_until(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit, uint64_t site) {
    if (!lab_is_limit(clock, limit, site)) return EINVAL;
    return wait(condition, mutex, lab_deadline_of(clock, limit), site);
}

EXPORTED int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    if (is_controlled()) return wait(condition, mutex, COMPILED_NEVER, SITE_OF_WAIT);
    return REAL(pthread_cond_wait, int, pthread_cond_t *, pthread_mutex_t *)(condition, mutex);
}

// glibc keeps the clock that pthread_condattr_setclock chose in bit 1 of the flags.
static clockid_t clock_of(const pthread_cond_t *condition) {
    enum { IS_MONOTONIC = 1 << 1 };
    return condition->__data.__wrefs & IS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

EXPORTED int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *limit) {
    if (is_controlled()) return wait_until(condition, mutex, clock_of(condition), limit, SITE_OF_WAIT);
    return REAL(pthread_cond_timedwait, int, pthread_cond_t *, pthread_mutex_t *, const struct timespec *)(condition, mutex, limit);
}

EXPORTED int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit) {
    if (is_controlled()) return wait_until(condition, mutex, clock, limit, SITE_OF_WAIT);
    return REAL(pthread_cond_clockwait, int, pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)(
        condition, mutex, clock, limit);
}

// The number of threads that wait for the condition and are not chosen yet.
static int waiters(const pthread_cond_t *condition) {
    int count = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        const fiber_t *fiber = &lab_state->fibers[thread];
        if (fiber->condition == condition && !are_chosen[thread]) count++;
    }
    return count;
}

// Chooses one of the threads that `waiters` counts. number: which of them, from 0.
static void choose(const pthread_cond_t *condition, int number) {
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        fiber_t *fiber = &lab_state->fibers[thread];
        if (fiber->condition == condition && !are_chosen[thread] && number-- == 0) are_chosen[thread] = 1;
    }
}

// Chooses the threads to wake, and wakes them. The engine chooses one of several waiting threads for a signal, but it
// cannot be asked to wake only that one. So all are woken, and those that are not chosen wait again.
static void wake_chosen(compiled_kind_t kind, pthread_cond_t *condition, uint64_t site) {
    lab_place_t place = place_of(condition, site);
    lab_note_interruptible();
    lab_look_first(site);
    lab_inside(compiled_lock, using(place), COMPILED_NEVER);
    refuse_unmade(condition, site);
    int count = waiters(condition);
    if (kind == compiled_broadcast) {
        for (int i = 0; i < count; i++) choose(condition, 0); // each time the first that is not chosen yet
    } else if (count > 0) {
        choose(condition, count == 1 ? 0 : (int)lab_ask((compiled_request_t){.kind = compiled_choose, .a = count, .site = site}));
    }
    if (kind == compiled_broadcast || count > 1) lab_wake_all(place);
    else lab_inside(compiled_signal, place, COMPILED_NEVER);
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
}

static int wake(compiled_kind_t kind, pthread_cond_t *condition, uint64_t site) {
    lab_note_object(condition, sizeof *condition, site);
    if (lab_state->waits_in_steps) {
        lab_check_use((uint64_t)condition, 1, site);
        return wake_chosen(kind, condition, site), 0;
    }
    lab_use((compiled_request_t){.kind = kind, .object = (uint64_t)condition, .site = site});
    refuse_unmade(condition, site);
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

// Tells the engine that the condition is destroyed. If waits are made of several steps, the engine knows only the lock
// and the condition beside it (place_of). Then this function takes that lock, which end_destruction releases, and
// destroys that condition if threads wait. Threads that were chosen do not count: POSIX allows them to leave the place
// after the destruction.
static void destroy(pthread_cond_t *condition, uint64_t site) {
    if (!is_controlled() || !lab_state->waits_in_steps || lab_state->unjoined < 2) {
        lab_destroy(condition, compiled_of_condition, site);
        return;
    }
    lab_place_t place = place_of(condition, site);
    lab_inside(compiled_lock, using(place), COMPILED_NEVER);
    if (waiters(condition) > 0) lab_destroy(place.address, compiled_of_condition, site);
}

static void end_destruction(const pthread_cond_t *condition, uint64_t site) {
    if (!is_controlled() || !lab_state->waits_in_steps || lab_state->unjoined < 2) return;
    lab_inside(compiled_unlock, place_of(condition, site), COMPILED_NEVER);
}

EXPORTED int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    destroy(condition, SITE);
    lab_renew(condition, compiled_of_condition, 0, SITE);
    if (attributes) lab_note_access(attributes, sizeof *attributes, 0, SITE);
    int result = REAL(pthread_cond_init, int, pthread_cond_t *, const pthread_condattr_t *)(condition, attributes);
    end_destruction(condition, SITE);
    return result;
}

EXPORTED int pthread_cond_destroy(pthread_cond_t *condition) {
    if (!is_controlled()) return REAL(pthread_cond_destroy, int, pthread_cond_t *)(condition);
    destroy(condition, SITE);
    condition->__data.__wrefs = destroyed_flags;
    end_destruction(condition, SITE);
    return 0;
}

#endif
