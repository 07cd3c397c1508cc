// Cancellation: a thread that is asked to end does so where it looks, or in certain waits (interruptions.c). And what the program's code calls, by
// which its waits are made of more steps.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cancellation_t *own(void) { return &lab_state->fibers[lab_state->current].cancellation; }

// MARK: - Which threads can be cancelled

static int calls_cancel, calls_robust, calls_kill, calls_handle;

// Which functions the program's code calls: then its waits are made of more steps. A call through a pointer is learned.
void lab_find_cancellations(void) {
    const compiled_file_t *file = &lab_state->program.files[0];
    const char *code = (const char *)file->start, *end = code + file->size - 5;
    for (const char *at = code; at < end; at++) {
        if (at == __start_lab_text) at = __stop_lab_text;
        int32_t distance;
        memcpy(&distance, at + 1, sizeof distance);
        if ((*at & (char)0xFE) != (char)0xE8) continue;
        const char *called = at + 5 + distance;
        if (called == (const char *)pthread_cancel) calls_cancel = 1;
        if (called == (const char *)pthread_mutexattr_setrobust) calls_robust = 1;
        if (called == (const char *)kill || called == (const char *)pthread_kill || called == (const char *)killpg) calls_kill = 1;
        if (called == (const char *)sigaction || called == (const char *)signal || called == (const char *)__sysv_signal) calls_handle = 1;
    }
}

// What executions have shown is noted at a function's beginning, where no access returns to.
static uint8_t *mark_at(const void *function) {
    uint64_t place = compiled_place(&lab_state->program, (uint64_t)function);
    return place != COMPILED_NO_PLACE ? &lab_state->program.shared_places[place] : NULL;
}

void lab_mark(const void *function) {
    uint8_t *mark = mark_at(function);
    if (mark) lab_set_mark(mark);
}

void lab_unmark(const void *function) {
    uint8_t *mark = mark_at(function);
    if (mark) *mark = 0;
}

int lab_is_marked(const void *function) {
    const uint8_t *mark = mark_at(function);
    return mark && (*mark & COMPILED_STEP);
}

void lab_begin_cancellations(void) {
    lab_state->cancels = calls_cancel || lab_is_marked((void *)pthread_cancel);
    lab_state->kills = calls_kill || lab_is_marked((void *)pthread_kill);
    lab_state->sends = lab_state->kills && (calls_handle || lab_is_marked((void *)sigaction));
    lab_state->waits_in_steps = lab_state->cancels || lab_state->sends || calls_robust || lab_is_marked((void *)pthread_mutexattr_setrobust);
    lab_state->shares_stacks = lab_is_marked((void *)pthread_exit);
    lab_state->cancels_main = lab_is_marked((void *)lab_program_main);
}

void lab_learn_steps(const void *function, const char *what, uint64_t site) {
    lab_mark(function);
    static char text[128];
    snprintf(text, sizeof text, "%s, which no execution before the search has done: threadlab cannot follow that", what);
    lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
    abort();
}

void lab_learn_signals(uint64_t site) {
    lab_mark((void *)sigaction);
    lab_learn_steps((void *)pthread_kill, "sends a signal to a thread that handles it", site);
}

// MARK: - Requests

void lab_cancel_self(void) { lab_unwind(PTHREAD_CANCELED); }

void lab_test_cancellation(uint64_t site) {
    if (lab_can_be_cancelled()) lab_look(1, site);
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
    if (lab_call(thread, LAB_CANCELLED, site)) lab_interrupt(thread, LAB_CANCELLED, site);
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
    lab_test_asynchronous(site);
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

// The lock of a wait that can be interrupted orders what POSIX does not, so nothing is proved.
void lab_note_interruptible(void) { lab_note_call("pthread_cond_wait (with cancellation, signals or robust mutexes)"); }

#endif
