// The process: how it starts, its threads as fibers, and how executions end. By the file that has them.
#pragma once

#include "process/state.h"

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

// unwinding.c
// The running thread ends with its result: its handlers are called, and objects of C++ destroyed, innermost first.
HIDDEN _Noreturn void lab_unwind(void *result);

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
// Loads what executions have loaded before the process began again.
HIDDEN void lab_load_libraries(void);
// While one is loaded: the process begins again, and does not load it.
HIDDEN void lab_leave_library(void);
// What is there now is no more looked at.
HIDDEN void lab_note_libraries(void);
// After an execution, before memory is put back: notes what it has loaded.
HIDDEN void lab_find_libraries(void);
// Whether an execution has loaded some.
HIDDEN int lab_has_loaded(void);
// Whether executions have loaded some that are to be loaded before; and begins the process again for that, if there are some, and it can.
HIDDEN int lab_has_libraries(void);
HIDDEN void lab_keep_libraries(void);

// code.c
HIDDEN void lab_find_code(void);
