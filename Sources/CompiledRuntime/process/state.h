// The state that all parts of the runtime share, and small functions on it. The state is in a mapping of its own,
// because the runtime's static variables are part of the program's memory, which is restored after each execution.
#pragma once

#include "process/fiber.h"
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unwind.h>

#define HIDDEN __attribute__((visibility("hidden")))
// A function of the C or C++ library that the runtime replaces, or one that instrumented code calls. Weak, so that a
// program can have its own function with such a name, such as 'error'.
#define EXPORTED __attribute__((visibility("default"), weak))
#include "process/phases.h"
// Puts the runtime's code in a section of its own, whose addresses distinguish it from the program's code.
#pragma clang section text = "lab_text"
extern HIDDEN const char __start_lab_text[], __stop_lab_text[];
// In a function that the program calls: the address to which it returns, which says where the program has called it.
#define SITE ((uint64_t)__builtin_return_address(0))
// The same in a function in which the thread may wait. It also notes where the caller's part of the stack begins:
// above the two words at the top of this function's frame, its saved base pointer and its return address.
#define SITE_OF_WAIT lab_note_caller((uint64_t)__builtin_frame_address(0) + 16, SITE)

// By this symbol the engine recognizes the runtime's sources, whose code is not instrumented.
static const char threadlab_own_source LAB_REGISTERED(".threadlab.sources");

// Variables of several files. Variables of one file are registered in that file (phases.h).
typedef struct {
    compiled_program_t program;
    // The running thread. -1: the engine runs.
    int current;
    // The number of threads that have not been joined, and of those that have not ended. Both include the main thread.
    int unjoined, unended;
    // Set by ENTER_READ: from this address up, the stack holds the state of the program's thread. Null: the function
    // has not begun with ENTER_READ, or the address was taken (lab_take_entry).
    const uint64_t *entry;
    // The code for which lab_touch reads memory. 0: none.
    uint64_t touching_site;
    // The number of threads that the execution has started, including ended ones and the main thread.
    int thread_count;
    // Whether the execution learns which accesses are steps.
    int learns;
    // The number of the process that runs the execution. A process that the program has made by a system call of its
    // own has another.
    int process;
    // Whether the program has closed a standard descriptor, or put another file in its place.
    int has_closed_standard;
    // Whether the program cancels threads, and whether it cancels the main thread.
    int cancels, cancels_main;
    // Whether the program sends signals, and whether it also handles them, so that its waits are made of more steps.
    int sends_signals, handles_signals;
    // Whether a wait for a condition is made of several steps (conditions.c).
    int waits_in_steps;
    // The thread pointer of the engine's own thread.
    uint64_t host_storage;
    // The size of each thread's static thread-local variables, which end at its thread pointer.
    size_t storage_size;
    // While memory is read that may be damaged or unreadable: where to continue at a fault (a buffer of
    // __builtin_setjmp). Null: otherwise.
    void **volatile way_out;
    // The stacks of all threads, one after the other.
    char *stacks;
    // In all executions so far, keys of thread-specific values had numbers below this.
    int most_keys;
    fiber_t fibers[MOST_THREADS];
} state_t;

// state.c
// Null: the program runs as usual, on real threads, or the engine is not loaded yet.
extern HIDDEN state_t *lab_state;
// The program's main.
extern HIDDEN int (*lab_program_main)(int, char **, char **);
// Whether the engine runs the program, or will do so after the program's constructors.
HIDDEN int lab_is_hosted(void);
// The number of the thread with this handle. -1: there is none.
HIDDEN int lab_thread_of(pthread_t handle);
// Ends the process with exit code 3: threadlab cannot run the program.
HIDDEN _Noreturn void lab_give_up(const char *why);

// Whether the address is on the stack of a thread of the program.
static inline int lab_is_on_stack(uint64_t address) {
    return lab_state && address - (uint64_t)lab_state->stacks < (uint64_t)STACK * MOST_THREADS;
}

// Whether a thread of the program is running under the engine.
static inline int lab_runs_program(void) { return lab_state && lab_state->current >= 0; }

// For SITE_OF_WAIT.
static inline uint64_t lab_note_caller(uint64_t stack, uint64_t site) {
    if (!lab_runs_program()) return site;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    fiber->caller_stack = stack;
    return fiber->caller_site = site;
}

// Notes that the running thread changes something, or may: if it is in a loop, its next round differs from the last
// (spins.c).
static inline void lab_disturb(void) {
    rounds_t *rounds = &lab_state->fibers[lab_state->current].rounds;
    rounds->count = rounds->update_count = 0;
    rounds->watches = 0;
}

// Whether a thread of the program is running under the engine; if so, lab_disturb is called. For functions that the
// program calls. A function whose effect other code cannot notice asks lab_runs_program instead.
static inline int is_controlled(void) {
    if (!lab_runs_program()) return 0;
    lab_disturb();
    return 1;
}

// Whether the request does nothing but let other threads continue.
static inline int lab_is_pause(const compiled_request_t *request) {
    return request->kind == compiled_yield || (request->kind == compiled_sleep && lab_state->program.has_free_time);
}

// Begins a function that the program calls to read memory or to do an atomic operation. The function saves all
// callee-saved registers at the top of its frame (__builtin_unwind_init): rbp, and below it the 5 others. So the stack
// from there on holds the whole state of the program's thread.
#define ENTER_READ() \
    do { \
        __builtin_unwind_init(); \
        if (lab_runs_program()) lab_state->entry = (const uint64_t *)__builtin_frame_address(0) - 5; \
    } while (0)

// Returns the address that ENTER_READ has set, and clears it.
static inline const uint64_t *lab_take_entry(void) {
    const uint64_t *entry = lab_state->entry;
    lab_state->entry = NULL;
    return entry;
}

// Whether the running thread is known to be in a polling loop, so that to yield would change nothing.
static inline int lab_is_in_rounds(void) { return lab_state->fibers[lab_state->current].rounds.watches; }

// Reads a byte of the memory that the program is about to access. If there is no such memory, the fault occurs here,
// with `site` as its place, and not in the engine.
static inline void lab_touch(const volatile void *memory, uint64_t site) {
    lab_state->touching_site = site;
    (void)*(const volatile char *)memory;
    lab_state->touching_site = 0;
}

// Nonzero if another thread has interrupted the running thread's wait: the kinds of requests (`interruptions` in
// cancellation_t).
static inline int lab_is_interrupted(void) { return lab_state->fibers[lab_state->current].cancellation.interruptions; }

// The address of the lock and the condition that the runtime keeps for the object (COMPILED_BESIDE).
static inline const volatile void *lab_beside(const volatile void *object) {
    return (const volatile void *)((uint64_t)object | COMPILED_BESIDE);
}

// Whether the address is in the runtime's code.
static inline int lab_is_runtime_code(uint64_t address) {
    return address >= (uint64_t)__start_lab_text && address < (uint64_t)__stop_lab_text;
}

// Whether the address is in instrumented code: not the runtime's, nor that of a library that was compiled without
// instrumentation.
static inline int lab_is_program_code(uint64_t address) {
    return !lab_is_runtime_code(address) && compiled_place(&lab_state->program, address) != COMPILED_NO_PLACE;
}

// real.c
// A function that the runtime replaces, and the original that the next library in the loader's order defines.
typedef struct {
    const char *name;
    void *found;
} lab_real_t;
// REAL(name, result, parameter types): the original function. It is looked up only once for each use of the macro,
// because programs that run as usual call it often.
#define REAL(name, result, ...) \
    ((result(*)(__VA_ARGS__))({ \
        static lab_real_t known __attribute__((used, section("lab_reals"))) = {#name, NULL}; \
        void *found = __atomic_load_n(&known.found, __ATOMIC_RELAXED); \
        if (!found) __atomic_store_n(&known.found, found = lab_real_function(#name), __ATOMIC_RELAXED); \
        found; \
    }))
HIDDEN void *lab_real_function(const char *name);
// Like dlsym, which is itself replaced.
HIDDEN void *lab_find(void *library, const char *name);
// Like syscall, which is itself replaced.
HIDDEN long lab_system(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f);

#include "files/files.h"
#include "libc/libc.h"
#include "memory/memory.h"
#include "process/process.h"
#include "threads/threads.h"
#include "waits/waits.h"
