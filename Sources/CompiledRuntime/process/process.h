// The process: how it starts, its threads (which are fibers), and how executions end. The declarations are grouped by
// the file that implements them.
#pragma once

#include "process/state.h"
#include <sched.h>

// steps.c
// Makes a request of the running thread: switches to the engine, and returns its answer when the thread continues.
HIDDEN int64_t lab_ask(compiled_request_t request);
// Ends the execution with a message because the program exceeds a limit of threadlab's, which must not look like a
// failure of the program.
HIDDEN _Noreturn void lab_end_at_limit(const char *text, uint64_t site);
// Sets the thread pointer (the base of the fs segment), by which the processor finds thread-local variables.
HIDDEN void lab_set_storage_pointer(uint64_t pointer);
// If the execution is recorded, reports an event to the engine by a request that is a note. Leaves nothing on the
// stack, so that a recorded execution does the same as one that is not recorded.
HIDDEN void lab_show(compiled_kind_t kind, uint64_t object, uint64_t site);

// fibers.c
// Prepares the thread to begin in `entry`, which must not return. body, argument: the thread's function, which `entry`
// calls.
HIDDEN void lab_begin_fiber(int thread, void (*entry)(void), void *(*body)(void *), void *argument);
// Calls `scan` with the thread's vector (DTV), which points to the thread-local variables of libraries that were loaded
// late.
HIDDEN void lab_scan_vector(const fiber_t *fiber, void (*scan)(const void *start, size_t size));
// Destroys the C++ thread-local variables of the running thread.
HIDDEN void lab_destroy_variables(void);

// facts.c
// Facts about the program that executions have shown, for later executions and other processes. Each fact is stored as
// a mark at the address of a function. The function is only a key, and may have nothing to do with the fact.
typedef const void *fact_t;
#define CANCELS_THREADS ((fact_t)pthread_cancel)
#define CANCELS_MAIN_THREAD ((fact_t)lab_program_main)
#define SENDS_SIGNALS ((fact_t)pthread_kill)
#define HANDLES_SIGNALS ((fact_t)sigaction)
#define HAS_ROBUST_MUTEXES ((fact_t)pthread_mutexattr_setrobust)
// SHARES_STACKS: threads use variables on the stacks of other threads. SHARES_MORE_OF_STACKS: a search has seen more of
// that than was learned. SHARES_VARIABLES: threads use thread-local variables of other threads.
#define SHARES_STACKS ((fact_t)pthread_exit)
#define SHARES_MORE_OF_STACKS ((fact_t)pthread_detach)
#define SHARES_VARIABLES ((fact_t)pthread_self)
// A round of a polling loop was not like the one before (spins.c).
#define ROUNDS_DIFFER ((fact_t)sched_yield)
// Notes that the fact holds. In a search, it is only noted as missed, and becomes known for the next search.
HIDDEN void lab_note_fact(fact_t fact);
HIDDEN void lab_forget_fact(fact_t fact);
HIDDEN int lab_is_known(fact_t fact);
// Notes the fact, and ends the execution, whose steps were chosen in the belief that the fact does not hold. what: a
// phrase about the program for a report, such as "cancels a thread".
HIDDEN _Noreturn void lab_learn_fact(fact_t fact, const char *what, uint64_t site);
// Like lab_learn_fact, for SENDS_SIGNALS and HANDLES_SIGNALS together.
HIDDEN _Noreturn void lab_learn_signals(uint64_t site);
// Notes at a place in the code (a byte of shared_places) that accesses there are steps; in a search, that they should
// be.
HIDDEN void lab_set_mark(uint8_t *mark);

// faults.c
// Installs the action for the signals of all faults.
HIDDEN void lab_take_faults(const struct sigaction *action);
// Restores the actions from before lab_take_faults.
HIDDEN void lab_give_faults_back(void);
// Removes the signals of faults from the set.
HIDDEN void lab_leave_faults_out(sigset_t *set);
// Makes the alternate stack on which faults are handled. Returns false if there is no memory for it, or if the system
// refuses it.
HIDDEN int lab_make_fault_stack(void);
// Installs that stack again. Needed after a handler was left by a jump: the system disarms the stack while a handler
// runs, and arms it only when the handler returns.
HIDDEN int lab_arm_fault_stack(void);
// Ends the process by the signal.
HIDDEN void lab_die(int number);

// stacks.c
// Makes the stacks of all threads. Returns false if there is no memory for them.
HIDDEN int lab_make_stacks(void);
// Fills the used part of the stack with zeros.
HIDDEN void lab_clear_stack(const fiber_t *fiber);
// Whether a fault at this address means that the running thread has used up its stack although it asked for a larger
// one.
HIDDEN int lab_is_out_of_stack(const void *address);
// Called when the running thread uses memory. Ends the execution if that is a variable on another thread's stack and
// that thread has ended, or has returned from the variable's function.
HIDDEN void lab_check_stack(uint64_t address, uint64_t site);
// If the address is on another thread's stack, notes how deep that stack is shared.
HIDDEN void lab_note_stack(uint64_t address);
// The thread on whose stack the address is. -1 if it is on no stack, or on the running thread's own.
HIDDEN int lab_owner_of_stack(uint64_t address);
// Whether the address is on the stack of another thread that is not the main thread.
HIDDEN int lab_is_on_others_stack(uint64_t address);
// Called when the running thread uses memory that holds thread-local variables. If they belong to another thread, notes
// that, which makes that thread's end a step. Ends the execution if that thread has ended (`has_ended`).
HIDDEN void lab_check_variables(uint64_t address, int has_ended, uint64_t site);
// Counts as learned how deep stacks were seen to be shared in a search. Returns whether any is deeper than was known.
HIDDEN int lab_take_missed_depths(void);

// unwinding.c
// Ends the running thread with this result, after it has left all of its functions.
HIDDEN _Noreturn void lab_end_thread(void *result);
// Ends the running thread with this result before its function returns: calls its cleanup handlers and destroys the C++
// objects on its stack, innermost first.
HIDDEN _Noreturn void lab_unwind(void *result);

// calls.c
// What a suspended thread's own code has in use: the stack from `stack` up, and the callee-saved registers.
enum { LIVE_REGISTERS = 6 };
typedef struct {
    uint64_t stack, registers[LIVE_REGISTERS];
} live_t;
// Finds what a thread has in use. Returns false if that cannot be determined.
HIDDEN int lab_find_live(uint32_t thread, live_t *live);
// To be called at a fault or an abort. If its cause is that the runtime reads memory that may be damaged or unreadable
// (`way_out` in state_t), abandons the reading and does not return.
HIDDEN void lab_leave_walk(void);

// handlers.c
// Whether `exit` would call code of the program.
HIDDEN int lab_has_exit_handlers(void);
HIDDEN void lab_call_exit_handlers(int code, uint64_t site);
HIDDEN void lab_call_quick_exit_handlers(int code, uint64_t site);

// endings.c
// Ends the execution as `exit` ends a process. site: of the call. 0: main has returned.
HIDDEN _Noreturn void lab_exit(int code, uint64_t site);
// The first part of lab_exit: calls the handlers, and flushes all streams of the C library.
HIDDEN void lab_finish(int code, uint64_t site);

// cxx/exceptions.c
// Describes the exception that the running thread handles: the mangled name of its type and, if it is a std::exception,
// a line break and its text. Returns false if there is none.
HIDDEN int lab_describe_exception(char *text, size_t size);

// constructors.c
// Whether the program's constructors are part of each execution, so that the C library must not call them. If so, finds
// them. all: the program's function that calls all of them, or null if its file has an array of them.
HIDDEN int lab_take_constructors(void (*all)(void));
HIDDEN void lab_run_constructors(int count, char **words, char **variables);
// To be called before a real thread is started. If a constructor starts it before the engine is loaded, starts the
// process again, so that constructors become part of each execution.
HIDDEN void lab_begin_again_for_threads(void);

// again.c
// Replaces the process by a new start of its program (execve), with the same arguments and environment and this
// variable ("NAME=VALUE"). Returns if that is not possible.
HIDDEN void lab_begin_again(char *variable);

// libraries.c
// To be called when a constructor does what can be controlled only in an execution. If a library is being loaded in
// advance, starts the process again, which then does not load that library in advance.
HIDDEN void lab_leave_library(void);
// Whether an execution has loaded libraries.
HIDDEN int lab_has_loaded(void);
