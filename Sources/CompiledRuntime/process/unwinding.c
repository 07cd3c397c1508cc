// How a thread ends before its function returns: by pthread_exit, or because it was cancelled. As in the C library, an
// exception unwinds all frames of the thread, and calls cleanup handlers and destructors. Code that catches the
// exception must throw it again.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <setjmp.h>
#include <stdlib.h>
#include <unwind.h>

typedef struct {
    // The innermost cleanup handler that C code has registered (pthread_cleanup_push).
    __pthread_unwind_buf_t *cleanup;
    // The exception that unwinds the thread's frames.
    struct _Unwind_Exception exception;
} unwinding_t;
LAB_EACH_THREAD(unwinding_t, unwindings);

static unwinding_t *own(void) { return &unwindings[lab_state->current]; }

// MARK: - Cleanup handlers: each is a buffer for a jump to code that runs the handler and then asks for the next

// The buffer of a handler contains the address of the next outer one (__pad[0]).

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
    // _longjmp restores no signal mask: the buffer has none.
    REAL(_longjmp, void, void *, int)(innermost->__cancel_jmp_buf, 1);
    abort();
}

// MARK: - The end

void lab_end_thread(void *result) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    // From here on, the thread cannot be cancelled.
    fiber->cancellation.is_disabled = 1;
    fiber->cancellation.is_asynchronous = 0;
    fiber->result = result;
    lab_run(lab_at_thread_end);
    lab_ask((compiled_request_t){.kind = compiled_ended, .a = (int64_t)result});
    abort();
}

// MARK: - Frames

// Called for each frame, from the innermost on. The innermost cleanup handler is called if its buffer lies below this
// frame, so that its own frame has been left, or if the stack ends here. If no handler is left there, the thread ends.
static _Unwind_Reason_Code stop(
    int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *exception,
    struct _Unwind_Context *context, void *unused) {
    (void)version, (void)class, (void)exception, (void)unused;
    int is_end = (actions & _UA_END_OF_STACK) != 0;
    if (own()->cleanup && (is_end || (uintptr_t)own()->cleanup < _Unwind_GetCFA(context))) enter_handler();
    if (is_end) lab_end_thread(lab_state->fibers[lab_state->current].result);
    return _URC_NO_REASON;
}

// Called when C++ code has caught the exception and not thrown it again. The C library ends the process then.
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
    // Unwinding has failed, for example because of damaged information.
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
