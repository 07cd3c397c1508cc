// What the parts of the runtime share. All that changes is in one mapping of its own, because the program's memory is put back between
// executions, and this must not be.
#pragma once

#include "process/fiber.h"
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unwind.h>

#define HIDDEN __attribute__((visibility("hidden")))
// Weak: a program may have a function of its own with such a name, like 'error'.
#define EXPORTED __attribute__((visibility("default"), weak))
#include "process/phases.h"
// The runtime's own code is where it can be told from the program's.
#pragma clang section text = "lab_text"
extern HIDDEN const char __start_lab_text[], __stop_lab_text[];
// The address of the code that called a function which the program calls.
#define SITE ((uint64_t)__builtin_return_address(0))
// The same in a function in which a thread may wait: it is known then, too, where the stack of the function that called it ends.
#define SITE_OF_WAIT lab_note_caller((uint64_t)__builtin_frame_address(0) + 16, SITE)

// By this symbol the engine tells the runtime's sources, whose code tells of no accesses, from the program's.
static const char threadlab_own_source LAB_REGISTERED(".threadlab.sources");

// What several files use. What one file uses alone is registered there (phases.h).
typedef struct {
    compiled_program_t program;
    // The thread that runs, or -1: the engine does.
    int current;
    // The threads that have been made and not joined, and those that have not ended.
    int unjoined, unended;
    // Where the stack of the program begins, in a function that has begun by ENTER_READ, until that is taken. Null: in another.
    const uint64_t *entry;
    // The code that is about to touch memory for the program; 0: none is.
    uint64_t touching_site;
    int thread_count;
    int learns;
    // The process that runs the execution: not one that the program has made by a system call of its own.
    int process;
    // The program has closed a standard descriptor, or put another file in its place.
    int has_closed_standard;
    // The program cancels threads; and the main one.
    int cancels, cancels_main;
    // It sends signals; and has handlers of them, so its waits are made of more steps.
    int kills, sends;
    // Waits for conditions are made of more steps than one.
    int waits_in_steps;
    // The engine's own thread: its storage.
    uint64_t host_storage;
    // The size of each thread's variables, which are below its storage.
    size_t storage_size;
    // Where to continue if a stack that is read is damaged. Null: none is read.
    void **volatile way_out;
    // All stacks of threads, one after the other.
    char *stacks;
    // Of all executions: no key of a higher number was ever in use.
    int most_keys;
    fiber_t fibers[MOST_THREADS];
} state_t;

// state.c
// Null: the program runs as usual, on real threads.
extern HIDDEN state_t *lab_state;
extern HIDDEN int (*lab_program_main)(int, char **, char **);
// Whether the engine runs the program, or is about to, after its constructors.
HIDDEN int lab_is_hosted(void);
// The number of the program's thread. -1: there is none.
HIDDEN int lab_thread_of(pthread_t handle);
// Ends the process with exit code 3: threadlab cannot run the program.
HIDDEN _Noreturn void lab_give_up(const char *why);

static inline int lab_is_on_stack(uint64_t address) {
    return lab_state && address - (uint64_t)lab_state->stacks < (uint64_t)STACK * MOST_THREADS;
}

static inline int lab_runs_program(void) { return lab_state && lab_state->current >= 0; }

static inline uint64_t lab_note_caller(uint64_t stack, uint64_t site) {
    if (!lab_runs_program()) return site;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    fiber->caller_stack = stack;
    return fiber->caller_site = site;
}

// The running thread changes something, or may: its next round is unlike the last.
static inline void lab_disturb(void) {
    rounds_t *rounds = &lab_state->fibers[lab_state->current].rounds;
    rounds->count = rounds->update_count = 0;
    rounds->watches = 0;
}

// The same, for what is done by the program's thread under the engine. To be asked by what the program calls; only what changes nothing, as far as
// other code can tell, asks lab_runs_program instead.
static inline int is_controlled(void) {
    if (!lab_runs_program()) return 0;
    lab_disturb();
    return 1;
}

// Whether the thread only lets others continue.
static inline int lab_is_pause(const compiled_request_t *request) {
    return request->kind == compiled_yield || (request->kind == compiled_sleep && lab_state->program.has_free_time);
}

// In a function that the program calls only to read, or to do an atomic operation: it saves all registers that it has to keep at the top of
// its frame, so that from there on the stack is what the program's thread is.
#define ENTER_READ() \
    do { \
        __builtin_unwind_init(); \
        if (lab_runs_program()) lab_state->entry = (const uint64_t *)__builtin_frame_address(0) - 5; \
    } while (0)

static inline const uint64_t *lab_take_entry(void) {
    const uint64_t *entry = lab_state->entry;
    lab_state->entry = NULL;
    return entry;
}

// Whether the running thread is known to do nothing but read, so that to yield would change nothing.
static inline int lab_is_in_rounds(void) { return lab_state->fibers[lab_state->current].rounds.watches; }

// If there is no such memory, the thread notices here, where it is.
static inline void lab_touch(const volatile void *memory, uint64_t site) {
    lab_state->touching_site = site;
    (void)*(const volatile char *)memory;
    lab_state->touching_site = 0;
}

// Whether the running thread's wait was ended by others.
static inline int lab_is_interrupted(void) { return lab_state->fibers[lab_state->current].cancellation.is_interrupted; }

// Where the runtime has a lock and a condition for what is at the address.
static inline const volatile void *lab_beside(const volatile void *object) {
    return (const volatile void *)((uint64_t)object | COMPILED_BESIDE);
}

// Whether that is the runtime's code.
static inline int lab_is_runtime_code(uint64_t address) {
    return address >= (uint64_t)__start_lab_text && address < (uint64_t)__stop_lab_text;
}

// Whether that is code that tells of its accesses, and neither the runtime's nor another library's.
static inline int lab_is_program_code(uint64_t address) {
    return !lab_is_runtime_code(address) && compiled_place(&lab_state->program, address) != COMPILED_NO_PLACE;
}

// real.c: the functions that are replaced here, as the next library has them.
typedef struct {
    const char *name;
    void *found;
} lab_real_t;
// Each is looked up once: programs call them often when they run as usual.
#define REAL(name, result, ...) \
    ((result(*)(__VA_ARGS__))({ \
        static lab_real_t known __attribute__((used, section("lab_reals"))) = {#name, NULL}; \
        void *found = __atomic_load_n(&known.found, __ATOMIC_RELAXED); \
        if (!found) __atomic_store_n(&known.found, found = lab_real_function(#name), __ATOMIC_RELAXED); \
        found; \
    }))
HIDDEN void *lab_real_function(const char *name);
// As dlsym, which is replaced.
HIDDEN void *lab_find(void *library, const char *name);
// A system call of the runtime.
HIDDEN long lab_system(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f);

#include "files/files.h"
#include "libc/libc.h"
#include "memory/memory.h"
#include "process/process.h"
#include "threads/threads.h"
#include "waits/waits.h"
