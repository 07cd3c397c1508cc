// The process: how it starts, its threads as fibers, and how executions end. By the file that has them.
#pragma once

#include "process/state.h"
#include <sched.h>

// steps.c
// The running thread asks, and gets the result when the engine lets it continue.
HIDDEN int64_t lab_ask(compiled_request_t request);
// What the program does is more than threadlab follows, which it must not take for a failure of its own: the execution ends.
HIDDEN _Noreturn void lab_end_at_limit(const char *text, uint64_t site);
// The processor finds thread-local variables there from here on.
HIDDEN void lab_set_storage_pointer(uint64_t pointer);
// To the engine, if it shows the execution. It leaves nothing on the stack that an execution which is not shown does not.
HIDDEN void lab_show(compiled_kind_t kind, uint64_t object, uint64_t site);

// fibers.c
// The thread begins in entry, which does not return. body, argument: for that one.
HIDDEN void lab_begin_fiber(int thread, void (*entry)(void), void *(*body)(void *), void *argument);
// Where a thread has the variables of libraries that are loaded late.
HIDDEN void lab_scan_vector(const fiber_t *fiber, void (*scan)(const void *start, size_t size));
// The thread-local variables of C++ that the running thread has made.
HIDDEN void lab_destroy_variables(void);

// facts.c
// Facts about the program that executions have shown, for later executions and other processes. Each is kept at a function (facts.c).
typedef const void *fact_t;
#define CANCELS_THREADS ((fact_t)pthread_cancel)
#define CANCELS_MAIN_THREAD ((fact_t)lab_program_main)
#define SENDS_SIGNALS ((fact_t)pthread_kill)
#define HANDLES_SIGNALS ((fact_t)sigaction)
#define HAS_ROBUST_MUTEXES ((fact_t)pthread_mutexattr_setrobust)
// Threads use variables on the stacks of others; a search has seen that of more than was known; and other threads' thread-local variables.
#define SHARES_STACKS ((fact_t)pthread_exit)
#define SHARES_MORE_OF_STACKS ((fact_t)pthread_detach)
#define SHARES_VARIABLES ((fact_t)pthread_self)
// A round of a loop that only reads was not as the one before (spins.c).
#define ROUNDS_DIFFER ((fact_t)sched_yield)
HIDDEN void lab_note_fact(fact_t fact);
HIDDEN void lab_forget_fact(fact_t fact);
HIDDEN int lab_is_known(fact_t fact);
// Notes it, and ends the execution: its steps were chosen in the belief that it is not so. what: of the program, for a report.
HIDDEN _Noreturn void lab_learn_fact(fact_t fact, const char *what, uint64_t site);
HIDDEN _Noreturn void lab_learn_signals(uint64_t site);
// The same for a place of the program's code: that an access there is a step.
HIDDEN void lab_set_mark(uint8_t *mark);

// faults.c
// Sets the handler of all faults.
HIDDEN void lab_take_faults(const struct sigaction *action);
// As they were before that.
HIDDEN void lab_give_faults_back(void);
HIDDEN void lab_leave_faults_out(sigset_t *set);
// False: there is none, or the system does not take it.
HIDDEN int lab_make_fault_stack(void);
// Where faults are handled that are returned from by a jump: the system takes that stack away while it is used, and learns of no jump.
HIDDEN int lab_arm_fault_stack(void);
// Ends the process by the signal.
HIDDEN void lab_die(int number);

// stacks.c
// False: there is no room.
HIDDEN int lab_make_stacks(void);
HIDDEN void lab_clear_stack(const fiber_t *fiber);
// The running thread has used its stack up, and had asked for a larger one.
HIDDEN int lab_is_out_of_stack(const void *address);
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

// unwinding.c
// The running thread has left its body, and ends with this result.
HIDDEN _Noreturn void lab_end_thread(void *result);
// The running thread ends with its result: its handlers are called, and objects of C++ destroyed, innermost first.
HIDDEN _Noreturn void lab_unwind(void *result);

// calls.c
// What is the program's of a suspended thread: its stack from here on, and the registers that functions keep for their callers.
enum { LIVE_REGISTERS = 6 };
typedef struct {
    uint64_t stack, registers[LIVE_REGISTERS];
} live_t;
// False: it is not known.
HIDDEN int lab_find_live(uint32_t thread, live_t *live);
// At a fault: if that is because a damaged stack is read, reading it ends here, and this does not return.
HIDDEN void lab_leave_walk(void);

// handlers.c
HIDDEN int lab_has_exit_handlers(void);
HIDDEN void lab_call_exit_handlers(int code, uint64_t site);
HIDDEN void lab_call_quick_exit_handlers(int code, uint64_t site);

// endings.c
// Ends the process. site: of the call; 0: main has returned.
HIDDEN _Noreturn void lab_exit(int code, uint64_t site);
// What is done before that: handlers, and what standard streams have not written.
HIDDEN void lab_finish(int code, uint64_t site);

// constructors.c
// Whether constructors are a part of each execution: then the C library does not call them. all: what it would call; null: those of the file.
HIDDEN int lab_take_constructors(void (*all)(void));
HIDDEN void lab_run_constructors(int count, char **words, char **variables);
// A thread is about to be started that is not under control. Before the engine is there, the process begins again for that.
HIDDEN void lab_begin_again_for_threads(void);

// again.c
// Starts the process's program in its place, with this variable ("NAME=VALUE"). Returns if that is not possible.
HIDDEN void lab_begin_again(char *variable);

// libraries.c
// While one is loaded: the process begins again, and does not load it.
HIDDEN void lab_leave_library(void);
// Whether an execution has loaded some.
HIDDEN int lab_has_loaded(void);
