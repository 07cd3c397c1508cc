// How a thread ends before its body returns: by pthread_exit, or because it was cancelled. As in the C library, an exception that nothing
// may catch passes all its frames.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <setjmp.h>
#include <stdlib.h>
#include <unwind.h>

typedef struct {
    // The innermost handler that pthread_cleanup_push of C has registered.
    __pthread_unwind_buf_t *cleanup;
    // While the thread's frames are unwound: the exception that does it.
    struct _Unwind_Exception exception;
} unwinding_t;
LAB_EACH_THREAD(unwinding_t, unwindings);

static unwinding_t *own(void) { return &unwindings[lab_state->current]; }

// MARK: - Handlers of pthread_cleanup_push: each is a place that is returned to, and calls this for the next

EXPORTED void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
    if (!is_controlled()) {
        REAL(__pthread_register_cancel, void, __pthread_unwind_buf_t *)(buffer);
        return;
    }
    buffer->__pad[0] = own()->cleanup;
    own()->cleanup = buffer;
}

EXPORTED void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) {
    if (is_controlled()) own()->cleanup = buffer->__pad[0];
    else REAL(__pthread_unregister_cancel, void, __pthread_unwind_buf_t *)(buffer);
}

static _Noreturn void enter_handler(void) {
    __pthread_unwind_buf_t *innermost = own()->cleanup;
    own()->cleanup = innermost->__pad[0];
    // The buffer has no mask of signals.
    REAL(_longjmp, void, void *, int)(innermost->__cancel_jmp_buf, 1);
    abort();
}

// MARK: - The end

void lab_end_thread(void *result) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    // It cannot be cancelled any more.
    fiber->cancellation.is_disabled = 1;
    fiber->cancellation.is_asynchronous = 0;
    fiber->result = result;
    lab_run(lab_at_thread_end);
    lab_ask((compiled_request_t){.kind = compiled_ended, .a = (int64_t)result});
    abort();
}

// MARK: - Frames

// Unwinding is about to leave a frame: one whose handlers are to be called lies below.
static _Unwind_Reason_Code stop(
    int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *exception,
    struct _Unwind_Context *context, void *unused) {
    (void)version, (void)class, (void)exception, (void)unused;
    int is_end = (actions & _UA_END_OF_STACK) != 0;
    if (own()->cleanup && (is_end || (uintptr_t)own()->cleanup < _Unwind_GetCFA(context))) enter_handler();
    if (is_end) lab_end_thread(lab_state->fibers[lab_state->current].result);
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
    own()->exception = (struct _Unwind_Exception){.exception_cleanup = refuse_catch};
    _Unwind_ForcedUnwind(&own()->exception, stop, NULL);
    // A function says nothing of its frame.
    if (own()->cleanup) enter_handler();
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
