// Cancellation of threads (pthread_cancel). A cancelled thread ends at its next cancellation point, or in a wait that
// is interruptible (interruptions.c). Interruptible waits take more steps than others. So this file first finds out
// whether the program cancels threads, sends signals or has robust mutexes at all.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <signal.h>
#include <string.h>

static cancellation_t *own(void) { return &lab_state->fibers[lab_state->current].cancellation; }

// MARK: - Which functions the program calls

// Whether the program's code calls functions that cancel, make a mutex robust, send signals, or set actions
// (find_calls).
static int calls_cancel, calls_robust, calls_kill, calls_handle;

// Searches the program's machine code for calls of these functions and jumps to them: the byte 0xE8 (call) or 0xE9
// (jmp), followed by four bytes with the distance from the end of the instruction to the function. Other bytes may look
// like such an instruction: then waits take more steps than they need, which does no harm. A call through a pointer is
// not found. When it happens, it is noted for later executions, and the execution ends (lab_learn_fact).
static void find_calls(void) {
    const compiled_file_t *file = &lab_state->program.files[0];
    enum { CALL = 0xE8, JUMP = 0xE9, LENGTH = 5 };
    const char *code = (const char *)file->start, *end = code + file->size - LENGTH;
    for (const char *at = code; at < end; at++) {
        if (lab_is_runtime_code((uint64_t)at)) continue;
        int32_t distance;
        memcpy(&distance, at + 1, sizeof distance);
        if (*at != (char)CALL && *at != (char)JUMP) continue;
        const char *called = at + LENGTH + distance;
        if (called == (const char *)pthread_cancel) calls_cancel = 1;
        if (called == (const char *)pthread_mutexattr_setrobust) calls_robust = 1;
        if (called == (const char *)kill || called == (const char *)pthread_kill || called == (const char *)killpg) calls_kill = 1;
        if (called == (const char *)sigaction || called == (const char *)signal || called == (const char *)__sysv_signal) calls_handle = 1;
    }
}
LAB_PHASE(lab_with_engine, LAB_ANY, find_calls);

static void begin_cancellations(void) {
    lab_state->cancels = calls_cancel || lab_is_known(CANCELS_THREADS);
    lab_state->sends_signals = calls_kill || lab_is_known(SENDS_SIGNALS);
    lab_state->handles_signals = lab_state->sends_signals && (calls_handle || lab_is_known(HANDLES_SIGNALS));
    lab_state->waits_in_steps = lab_state->cancels || lab_state->handles_signals || calls_robust || lab_is_known(HAS_ROBUST_MUTEXES);
    lab_state->cancels_main = lab_is_known(CANCELS_MAIN_THREAD);
}
LAB_PHASE(lab_before_execution, LAB_ANY, begin_cancellations);

// MARK: - Requests

void lab_test_cancellation(uint64_t site) {
    if (lab_can_be_cancelled()) lab_look(1, site);
}

void lab_begin_point(uint64_t site) {
    if (is_controlled()) lab_test_cancellation(site);
}

void lab_test_asynchronous(uint64_t site) {
    if (own()->is_asynchronous) lab_test_cancellation(site);
}
LAB_BEFORE_ACCESS(LAB_ANY, lab_test_asynchronous);

EXPORTED int pthread_cancel(pthread_t handle) {
    if (!is_controlled()) return REAL(pthread_cancel, int, pthread_t)(handle);
    uint64_t site = SITE;
    lab_note_call("pthread_cancel");
    int thread = lab_thread_of(handle);
    if (thread < 0) return ESRCH;
    if (!lab_state->cancels) lab_learn_fact(CANCELS_THREADS, "cancels a thread", site);
    if (thread == 0 && !lab_state->cancels_main) lab_learn_fact(CANCELS_MAIN_THREAD, "cancels its main thread", site);
    cancellation_t *target = &lab_state->fibers[thread].cancellation;
    if (lab_call(thread, LAB_CANCELLED, site)) lab_interrupt(thread, LAB_CANCELLED, site);
    if (thread == lab_state->current && target->is_asynchronous) lab_test_cancellation(site);
    return 0;
}

EXPORTED void pthread_testcancel(void) {
    if (is_controlled()) lab_test_cancellation(SITE);
    else REAL(pthread_testcancel, void, void)();
}

// Sets the thread's cancellation state or type. value: 0 for PTHREAD_CANCEL_ENABLE and PTHREAD_CANCEL_DEFERRED, 1 for
// PTHREAD_CANCEL_DISABLE and PTHREAD_CANCEL_ASYNCHRONOUS.
static int set(int *setting, int value, int *old, uint64_t site) {
    if (value != 0 && value != 1) return EINVAL;
    if (old) lab_note_access(old, sizeof *old, 1, site), *old = *setting;
    *setting = value;
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

#endif
