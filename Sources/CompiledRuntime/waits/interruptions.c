// Waits that other threads can interrupt, by a cancellation or by a signal, whose handler then runs while the thread is
// blocked. Such a wait is made of steps on a lock and a condition of the runtime, its place. The waiting thread
// publishes the place (cancellation_t), so that a thread that interrupts the wait knows where to wake it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

static cancellation_t *own(void) { return &lab_state->fibers[lab_state->current].cancellation; }

int lab_can_be_cancelled(void) {
    return lab_state->cancels && !own()->is_disabled && (lab_state->current > 0 || lab_state->cancels_main);
}

int lab_can_be_interrupted(void) { return lab_can_be_cancelled() || lab_can_be_signalled(); }

// MARK: - Requests to a thread

void lab_access_requests(int thread, compiled_kind_t kind, uint64_t site) {
    cancellation_t *target = &lab_state->fibers[thread].cancellation;
    lab_note_atomic(&target->requests, sizeof target->requests, kind == compiled_store);
    lab_ask((compiled_request_t){
        .kind = kind, .size = sizeof target->requests, .object = (uint64_t)&target->requests,
        .a = 1 /* for a store; the engine reads afterwards what was stored */, .order = __ATOMIC_SEQ_CST,
        .failure_order = __ATOMIC_SEQ_CST, .site = site, .text = lab_state->cancels ? "cancellation of" : "signals of",
        .line = (uint32_t)thread});
    if (kind == compiled_load) target->known = target->requests;
}

// Whether the thread was cancelled, as of its last look at its requests.
static int is_cancelled(void) { return lab_can_be_cancelled() && (own()->known & LAB_CANCELLED); }

// Whether the number of signals for the thread has changed since it last looked for them.
static int has_signals(void) { return (own()->known ^ own()->seen) >= LAB_SIGNAL; }

lab_handled_t lab_look(int is_point, uint64_t site) {
    lab_handled_t strongest = lab_not_handled;
    do {
        lab_access_requests(lab_state->current, compiled_load, site);
        if (is_point && is_cancelled()) lab_unwind(PTHREAD_CANCELED);
        if (!has_signals()) break;
        lab_handled_t handled = lab_deliver_signals(site);
        if (handled > strongest) strongest = handled;
    } while (1);
    return strongest;
}

static void look_for_signals(uint64_t site) { lab_look(0, site); }

void lab_look_first(uint64_t site) {
    if (!is_controlled() || !lab_can_be_signalled()) return;
    // Not while the thread holds a lock of the runtime, which the handler could try to take again.
    if (!lab_state->fibers[lab_state->current].held) look_for_signals(site);
}

// Whether the object is a lock of the runtime. A thread that holds one handles no signals, because a handler could try
// to take it again.
static int is_own_lock(const compiled_request_t *request) {
    return request->detail == compiled_part || request->detail == compiled_futex;
}

// Whether the thread reads its requests before this request: before each step of the program, except the reading itself
// and choices.
static int looks_for_signals(const fiber_t *running, const compiled_request_t *request) {
    // The requests after compiled_destroy are not steps.
    if (running->held || request->kind > compiled_destroy || request->kind == compiled_choose) return 0;
    return request->object != (uint64_t)&running->cancellation.requests && lab_can_be_signalled();
}

static void begin_step(fiber_t *running, compiled_request_t *request) {
    if (is_own_lock(request) && request->kind == compiled_lock) running->held++;
    else if (looks_for_signals(running, request)) look_for_signals(request->site);
}
LAB_BEFORE_STEP(LAB_EARLY, begin_step);

static void release_lock(fiber_t *running, compiled_request_t *request) {
    if (is_own_lock(request) && request->kind == compiled_unlock && running->held) running->held--;
}
LAB_BEFORE_STEP(LAB_LATE, release_lock);

int lab_call(int thread, uint64_t request, uint64_t site) {
    cancellation_t *target = &lab_state->fibers[thread].cancellation;
    lab_access_requests(thread, compiled_store, site);
    if (request == LAB_CANCELLED) target->requests |= request;
    else target->requests += request;
    if (!target->place.address) return 0;
    target->interrupters++;
    return 1;
}

// The thread waits at its place, or is about to, and does not leave it before this call (interrupters).
void lab_interrupt(int thread, uint64_t request, uint64_t site) {
    cancellation_t *target = &lab_state->fibers[thread].cancellation;
    lab_place_t place = target->place;
    place.site = site;
    lab_inside(compiled_lock, place, COMPILED_NEVER);
    target->interrupters--;
    target->interruptions |= (int)request;
    lab_wake_all(place);
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
}

// MARK: - Waits

void lab_note_interruptible(void) { lab_note_call("pthread_cond_wait (with cancellation, signals or robust mutexes)"); }

// Publishes the place if the wait can be interrupted, and takes its lock.
static lab_handled_t enter(lab_place_t place, int is_point) {
    lab_handled_t handled = lab_not_handled;
    if (is_point ? lab_can_be_interrupted() : lab_can_be_signalled()) {
        if (is_point && lab_can_be_cancelled()) lab_note_interruptible();
        // The runtime's lock orders more than the program does, which hides races.
        if (lab_can_be_signalled()) lab_note_call("sigaction");
        handled = lab_look(is_point, place.site);
        own()->place = place;
        own()->place.is_use = 0;
        own()->is_point = is_point;
    }
    lab_inside(compiled_lock, place, COMPILED_NEVER);
    return handled;
}

lab_handled_t lab_enter(lab_place_t place) { return enter(place, 1); }
lab_handled_t lab_enter_lock(lab_place_t place) { return enter(place, 0); }

int lab_wait(lab_place_t place, int64_t deadline) {
    own()->is_disturbed = 0;
    return lab_inside(compiled_wait, place, deadline) != 0;
}

// The load decides: a request that precedes the load finds the thread in its wait, so the thread stays until that
// request has interrupted the wait. A later request does not find the thread there.
int lab_leave(lab_place_t place) {
    while (own()->place.address) {
        lab_access_requests(lab_state->current, compiled_load, place.site);
        if (!own()->interrupters) break;
        lab_wait(place, COMPILED_NEVER);
    }
    int interruptions = own()->interruptions;
    own()->place.address = NULL;
    own()->interruptions = 0;
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
    return interruptions;
}

lab_handled_t lab_answer(uint64_t site) {
    if (own()->is_point && is_cancelled()) lab_unwind(PTHREAD_CANCELED);
    return has_signals() ? lab_deliver_signals(site) : lab_not_handled;
}

void lab_wake_all(lab_place_t place) {
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        fiber_t *fiber = &lab_state->fibers[thread];
        if (fiber->condition && lab_beside(fiber->condition) == place.address) fiber->cancellation.is_disturbed = 1;
    }
    lab_inside(compiled_broadcast, place, COMPILED_NEVER);
}

// MARK: - Locks that a thread awaits interruptibly, because a handler may run meanwhile

// By thread: the lock that it awaits interruptibly. Null: none.
typedef const volatile void *lock_t;
LAB_EACH_THREAD(lock_t, locks);

// The place at which threads wait for a lock. Its address is that of the lock's second byte, so that it differs from
// the place of a condition at the lock's address.
static lab_place_t place_beside(const volatile void *lock, uint64_t site) {
    return (lab_place_t){.address = lab_beside((const volatile char *)lock + 1), .site = site};
}

int64_t lab_lock_interruptibly(compiled_request_t attempt, int64_t deadline) {
    const volatile void *lock = (const volatile void *)attempt.object;
    lab_place_t place = place_beside(lock, attempt.site);
    int me = lab_state->current;
    while (1) {
        lab_enter_lock(place);
        int64_t answer;
        int is_late = 0;
        for (;; is_late = !lab_wait(place, deadline)) {
            answer = lab_use(attempt);
            // Directly after the step on the lock, so that the order of steps on the lock decides whether
            // lab_wake_lockers finds the thread.
            locks[me] = answer || is_late || lab_is_interrupted() ? NULL : lock;
            if (!locks[me]) break;
        }
        lab_leave(place);
        if (answer || is_late) return answer;
        lab_answer(attempt.site);
    }
}

void lab_wake_lockers(const volatile void *lock, uint64_t site) {
    for (int thread = 0; lab_state->handles_signals && thread < lab_state->thread_count; thread++) {
        if (locks[thread] != lock) continue;
        lab_place_t place = place_beside(lock, site);
        lab_inside(compiled_lock, place, COMPILED_NEVER);
        lab_wake_all(place);
        lab_inside(compiled_unlock, place, COMPILED_NEVER);
        return;
    }
}

#endif
