// Cancellation: a thread that is asked to end does so where it looks, or in certain waits. A wait that can be ended so is made of a lock and
// a condition, by which the thread that cancels finds it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cancellation_t *own(void) { return &lab_state->fibers[lab_state->current].cancellation; }

// MARK: - Which threads can be cancelled

static int calls_cancel, calls_robust;

// Which of two functions the program's code calls: then its waits are made of more steps. A call through a pointer is learned.
void lab_find_cancellations(void) {
    const char *code = (const char *)lab_state->program.code_start, *end = code + lab_state->program.code_size - 5;
    for (const char *at = code; at < end; at++) {
        if (at == __start_lab_text) at = __stop_lab_text;
        int32_t distance;
        memcpy(&distance, at + 1, sizeof distance);
        if ((*at & (char)0xFE) != (char)0xE8) continue;
        if (at + 5 + distance == (const char *)pthread_cancel) calls_cancel = 1;
        if (at + 5 + distance == (const char *)pthread_mutexattr_setrobust) calls_robust = 1;
    }
}

// What executions have shown is noted at a function's beginning, where no access returns to.
static uint8_t *mark_at(const void *function) {
    uint64_t place = (uint64_t)function - lab_state->program.code_start;
    return place < lab_state->program.code_size ? &lab_state->program.shared_sites[place] : NULL;
}

static int is_marked(const void *function) {
    const uint8_t *mark = mark_at(function);
    return mark && (*mark & COMPILED_STEP);
}

void lab_begin_cancellations(void) {
    lab_state->cancels = calls_cancel || is_marked((void *)pthread_cancel);
    lab_state->waits_in_steps = lab_state->cancels || calls_robust || is_marked((void *)pthread_mutexattr_setrobust);
    lab_state->cancels_main = is_marked((void *)lab_program_main);
}

void lab_learn_steps(const void *function, const char *what, uint64_t site) {
    uint8_t *mark = mark_at(function);
    if (mark) *mark |= lab_state->learns ? COMPILED_STEP : COMPILED_MISSED;
    static char text[128];
    snprintf(text, sizeof text, "%s, which no execution before the search has done: threadlab cannot follow that", what);
    lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
    abort();
}

// MARK: - Requests

static void access_request(int thread, compiled_kind_t kind, uint64_t site) {
    uint64_t *word = &lab_state->fibers[thread].cancellation.is_requested;
    lab_note_atomic(word, sizeof *word, kind == compiled_store);
    lab_ask((compiled_request_t){
        .kind = kind, .size = sizeof *word, .object = (uint64_t)word, .a = 1, .order = __ATOMIC_SEQ_CST,
        .failure_order = __ATOMIC_SEQ_CST, .site = site, .text = "cancellation of", .line = (uint32_t)thread});
}

void lab_cancel_self(void) { lab_unwind(PTHREAD_CANCELED); }

void lab_test_cancellation(uint64_t site) {
    if (!lab_can_be_cancelled()) return;
    access_request(lab_state->current, compiled_load, site);
    if (own()->is_requested) lab_cancel_self();
}

// The thread is, or will be, in a wait at this place, and does not leave it before this.
static void interrupt(cancellation_t *target, uint64_t site) {
    lab_place_t place = {.address = target->place, .site = site};
    target->is_sought = 1;
    lab_inside(compiled_lock, place, COMPILED_NEVER);
    target->is_sought = 0;
    target->is_interrupted = 1;
    lab_wake_all(place);
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
}

EXPORTED int pthread_cancel(pthread_t handle) {
    if (!is_controlled()) return REAL(pthread_cancel, int, pthread_t)(handle);
    uint64_t site = SITE;
    lab_note_call("pthread_cancel");
    int thread = lab_thread_of(handle);
    if (thread < 0) return ESRCH;
    if (!lab_state->cancels) lab_learn_steps((void *)pthread_cancel, "cancels a thread", site);
    if (thread == 0 && !lab_state->cancels_main) lab_learn_steps((void *)lab_program_main, "cancels its main thread", site);
    cancellation_t *target = &lab_state->fibers[thread].cancellation;
    access_request(thread, compiled_store, site);
    int is_first = !target->is_requested;
    target->is_requested = 1;
    if (is_first && target->place) interrupt(target, site);
    if (thread == lab_state->current && target->is_asynchronous) lab_test_cancellation(site);
    return 0;
}

EXPORTED void pthread_testcancel(void) {
    if (is_controlled()) lab_test_cancellation(SITE);
    else REAL(pthread_testcancel, void, void)();
}

static int set(int *place, int value, int *old, uint64_t site) {
    if (value != 0 && value != 1) return EINVAL;
    if (old) lab_note_access(old, sizeof *old, 1, site), *old = *place;
    *place = value;
    if (own()->is_asynchronous) lab_test_cancellation(site);
    return 0;
}

EXPORTED int pthread_setcancelstate(int state, int *old) {
    if (is_controlled()) return set(&own()->is_disabled, state, old, SITE);
    return REAL(pthread_setcancelstate, int, int, int *)(state, old);
}

EXPORTED int pthread_setcanceltype(int type, int *old) {
    if (is_controlled()) return set(&own()->is_asynchronous, type, old, SITE);
    return REAL(pthread_setcanceltype, int, int, int *)(type, old);
}

// MARK: - Waits

// The lock orders what POSIX does not, so nothing is proved.
void lab_note_interruptible(void) { lab_note_call("pthread_cond_wait (with cancellation or robust mutexes)"); }

void lab_enter(lab_place_t place) {
    if (lab_can_be_cancelled()) {
        lab_note_interruptible();
        lab_test_cancellation(place.site);
        own()->place = (const void *)place.address;
    }
    lab_inside(compiled_lock, place, COMPILED_NEVER);
}

int lab_wait(lab_place_t place, int64_t deadline) {
    own()->is_disturbed = 0;
    return lab_inside(compiled_wait, place, deadline) != 0;
}

// A cancellation that comes before the step here finds the thread, and one that comes later does not.
int lab_leave(lab_place_t place) {
    if (own()->place) access_request(lab_state->current, compiled_load, place.site);
    while (own()->is_sought) lab_wait(place, COMPILED_NEVER);
    int was_interrupted = own()->is_interrupted;
    own()->place = NULL;
    own()->is_interrupted = 0;
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
    return was_interrupted;
}

void lab_wake_all(lab_place_t place) {
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        fiber_t *fiber = &lab_state->fibers[thread];
        if (fiber->condition == place.address) fiber->cancellation.is_disturbed = 1;
    }
    lab_inside(compiled_broadcast, place, COMPILED_NEVER);
}

#endif
