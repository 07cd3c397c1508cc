// Threads: how they begin, wait, are cancelled and end. By the file that has them.
#pragma once

#include "state.h"

// start.c
HIDDEN extern int (*lab_program_main)(int, char **, char **);
HIDDEN int lab_run_main(void);

// fibers.c
HIDDEN void lab_make_fibers(void);
HIDDEN void lab_begin_fiber(int thread, void *(*body)(void *), void *argument);
HIDDEN compiled_request_t *lab_resume_fiber(uint32_t thread, int64_t result);
HIDDEN int lab_thread_of(pthread_t handle);
// To the engine, if it shows the execution. It leaves nothing on the stack that an execution which is not shown does not.
HIDDEN void lab_begin_showing(void);
HIDDEN void lab_show(compiled_kind_t kind, uint64_t object, uint64_t site);
// Where a thread has the variables of libraries that are loaded late.
HIDDEN void lab_scan_vector(const fiber_t *fiber, void (*scan)(const void *start, size_t size));
HIDDEN _Noreturn void lab_end_thread(void *result);
// The running thread has used its stack up, and had asked for a larger one.
HIDDEN int lab_is_out_of_stack(const void *address);

// stacks.c
// False: there is no room.
HIDDEN int lab_make_stacks(void);
HIDDEN void lab_clear_stack(fiber_t *fiber);
// The running thread uses memory: ends the execution if that is on the stack of another that has ended.
HIDDEN void lab_check_stack(uint64_t address, uint64_t site);
// Notes that, if it is on the stack of another.
HIDDEN void lab_note_stack(uint64_t address);
// The thread on whose stack the address is, unless it is the running one; -1: none.
HIDDEN int lab_owner_of_stack(uint64_t address);
HIDDEN int lab_is_on_others_stack(uint64_t address);
// In memory where threads have their thread-local variables: if it is another's, the end of that one is a step, and must not have been.
HIDDEN void lab_check_variables(uint64_t address, int has_ended, uint64_t site);
// What a search has seen of that counts in the next one. Returns whether it is more than was known.
HIDDEN int lab_take_missed_depths(void);
// The running thread ends: as if it wrote all that others use of its stack.
HIDDEN void lab_end_stack(void);

// missed.c
HIDDEN int lab_take_missed(void);

// unwinding.c
// The running thread ends with its result: its handlers are called, and objects of C++ destroyed, innermost first.
HIDDEN _Noreturn void lab_unwind(void *result);

// What handlers of signals have done to the call that they came in: none was called, the call continues, it fails with EINTR.
typedef enum { lab_not_handled, lab_continues, lab_ends } lab_handled_t;

// interruptions.c
// A thread can be cancelled, or get a signal, while it waits.
HIDDEN int lab_can_be_interrupted(void);
// Looks whether the thread is cancelled, and for signals, which it handles. A step.
HIDDEN lab_handled_t lab_look(int is_point, uint64_t site);
// The same, if it is not cancelled.
HIDDEN void lab_look_for_signals(uint64_t site);
// Before a call whose first step is on a lock of the runtime.
HIDDEN void lab_look_first(uint64_t site);
// A step on what the thread is asked for; then others know, or do not know yet, where it waits.
HIDDEN void lab_access_requests(int thread, compiled_kind_t kind, uint64_t site);
// Between the two, the running thread has the lock of the place, and can wait at it; what others ask for interrupts that.
HIDDEN lab_handled_t lab_enter(lab_place_t place);
// The same for what no cancellation ends.
HIDDEN lab_handled_t lab_enter_lock(lab_place_t place);
// False: the time is over, or the wait is interrupted.
HIDDEN int lab_wait(lab_place_t place, int64_t deadline);
// Whether it was interrupted: then lab_answer comes next, if the thread has not got what it waited for.
HIDDEN int lab_leave(lab_place_t place);
// The thread ends, if it is cancelled and was in a wait that ends with that; otherwise it handles signals.
HIDDEN lab_handled_t lab_answer(uint64_t site);
static inline int lab_is_interrupted(void) { return lab_state->fibers[lab_state->current].cancellation.is_interrupted; }
// Adds to what the thread is asked for. Returns whether it waits: then the other is to be called.
HIDDEN int lab_call(int thread, uint64_t request, uint64_t site);
HIDDEN void lab_interrupt(int thread, uint64_t request, uint64_t site);
// Takes a lock by the attempts that this makes. 0: the time is over.
HIDDEN int64_t lab_lock_interruptibly(compiled_request_t attempt, int64_t deadline);
// The lock was released.
HIDDEN void lab_wake_lockers(const volatile void *lock, uint64_t site);

// cancellation.c
HIDDEN void lab_find_cancellations(void);
HIDDEN void lab_begin_cancellations(void);
// The thread does not come back from there if it was cancelled.
HIDDEN void lab_test_cancellation(uint64_t site);
// The thread could be cancelled while it waits.
static inline int lab_can_be_cancelled(void) {
    return lab_state->cancels && !lab_state->fibers[lab_state->current].cancellation.is_disabled
        && (lab_state->current > 0 || lab_state->cancels_main);
}
// The same for a thread that can be cancelled at any moment.
static inline void lab_test_asynchronous(uint64_t site) {
    if (lab_state->fibers[lab_state->current].cancellation.is_asynchronous) lab_test_cancellation(site);
}
// The same at the beginning of what the program calls: where a thread that was cancelled before the call ends.
static inline void lab_begin_point(uint64_t site) {
    if (is_controlled()) lab_test_cancellation(site);
}
// All that wait at the place, with its lock held.
HIDDEN void lab_wake_all(lab_place_t place);
HIDDEN _Noreturn void lab_cancel_self(void);
HIDDEN void lab_note_interruptible(void);
// Waits of this execution were begun in the belief that nothing calls the function: the next one begins in another.
HIDDEN _Noreturn void lab_learn_signals(uint64_t site);
// Notes at the function's beginning what it stands for.
HIDDEN void lab_mark(const void *function);
static inline void lab_set_mark(uint8_t *mark) {
    uint8_t bit = lab_state->learns ? COMPILED_STEP : COMPILED_MISSED;
    if (*mark & bit) return;
    *mark |= bit;
    lab_state->program.knowledge++;
}
HIDDEN void lab_unmark(const void *function);
HIDDEN int lab_is_marked(const void *function);
HIDDEN _Noreturn void lab_learn_steps(const void *function, const char *what, uint64_t site);

// calls.c
HIDDEN uint32_t lab_calls(uint32_t thread, uint64_t *addresses, uint32_t most);
HIDDEN int lab_frames(uint64_t place, compiled_frame_t frames[2]);
// What is the program's of a suspended thread: its stack from here on, and the registers that functions keep for their callers.
enum { LIVE_REGISTERS = 6 };
typedef struct {
    uint64_t stack, registers[LIVE_REGISTERS];
} live_t;
// False: it is not known.
HIDDEN int lab_find_live(uint32_t thread, live_t *live);
// Before the program's memory is remembered.
// False: what the program's file says of its functions is damaged, and no stack can be read.
HIDDEN int lab_begin_calls(void);
// At a fault: if that is because a damaged stack is read, reading it ends here, and this does not return.
HIDDEN void lab_leave_walk(void);

// threads.c
// Those that constructors have made, and the main thread's values.
HIDDEN void lab_begin_keys(void);
// As pthread_join.
HIDDEN int lab_join(pthread_t handle, void **result, uint64_t site);
// The thread-local variables of C++ that the running thread has made.
HIDDEN void lab_destroy_variables(void);

// handlers.c
HIDDEN int lab_has_exit_handlers(void);
HIDDEN void lab_call_exit_handlers(int code, uint64_t site);
// Whether the engine runs the program, or is about to, after its constructors.
HIDDEN int lab_is_hosted(void);
HIDDEN void lab_call_quick_exit_handlers(int code, uint64_t site);

// endings.c
HIDDEN void lab_handle_faults(void);
// Where faults are handled that are returned from by a jump: the system takes that stack away while it is used, and learns of no jump.
HIDDEN void lab_arm_fault_stack(void);
// Ends the process. site: of the call; 0: main has returned.
HIDDEN _Noreturn void lab_exit(int code, uint64_t site);
// What is done before that: handlers, and what standard streams have not written.
HIDDEN void lab_finish(int code, uint64_t site);
HIDDEN void lab_die(int number);
