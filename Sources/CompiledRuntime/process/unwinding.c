// How a thread ends before its body returns: by pthread_exit, or because it was cancelled. As in the C library, an exception that nothing
// may catch passes all its frames.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <setjmp.h>
#include <stdlib.h>

// MARK: - Handlers of pthread_cleanup_push: each is a place that is returned to, and calls this for the next

EXPORTED void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
    if (!is_controlled()) {
        REAL(__pthread_register_cancel, void, __pthread_unwind_buf_t *)(buffer);
        return;
    }
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    buffer->__pad[0] = fiber->cleanup;
    fiber->cleanup = buffer;
}

EXPORTED void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) {
    if (is_controlled()) lab_state->fibers[lab_state->current].cleanup = buffer->__pad[0];
    else REAL(__pthread_unregister_cancel, void, __pthread_unwind_buf_t *)(buffer);
}

static _Noreturn void enter_handler(fiber_t *fiber) {
    __pthread_unwind_buf_t *innermost = fiber->cleanup;
    fiber->cleanup = innermost->__pad[0];
    // The buffer has no mask of signals.
    REAL(_longjmp, void, void *, int)(innermost->__cancel_jmp_buf, 1);
    abort();
}

// MARK: - Frames

// Unwinding is about to leave a frame: one whose handlers are to be called lies below.
static _Unwind_Reason_Code stop(
    int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *exception,
    struct _Unwind_Context *context, void *unused) {
    (void)version, (void)class, (void)exception, (void)unused;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    int is_end = (actions & _UA_END_OF_STACK) != 0;
    if (fiber->cleanup && (is_end || (uintptr_t)fiber->cleanup < _Unwind_GetCFA(context))) enter_handler(fiber);
    if (is_end) lab_end_thread(fiber->result);
    return _URC_NO_REASON;
}

// A handler of C++ has caught the exception, and not thrown it again. The C library ends the process.
static void refuse_catch(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception) {
    (void)reason, (void)exception;
    static const char text[] = "catches the exception by which pthread_exit and pthread_cancel end a thread, and does not throw it again";
    lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = SITE});
}

void lab_unwind(void *result) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    fiber->result = result;
    fiber->cancellation.is_disabled = 1;
    fiber->cancellation.is_asynchronous = 0;
    fiber->unwinding = (struct _Unwind_Exception){.exception_cleanup = refuse_catch};
    _Unwind_ForcedUnwind(&fiber->unwinding, stop, NULL);
    // A function says nothing of its frame.
    if (fiber->cleanup) enter_handler(fiber);
    lab_end_thread(result);
}

EXPORTED void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) {
    if (is_controlled()) lab_unwind(lab_state->fibers[lab_state->current].result);
    REAL(__pthread_unwind_next, void, __pthread_unwind_buf_t *)(buffer);
    __builtin_unreachable();
}

EXPORTED void pthread_exit(void *result) {
    if (is_controlled()) lab_look_first(SITE), lab_unwind(result);
    REAL(pthread_exit, void, void *)(result);
    __builtin_unreachable();
}

#endif
