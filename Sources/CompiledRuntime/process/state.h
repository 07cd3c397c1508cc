// What the parts of the runtime share. All that changes is in one mapping of its own, because the program's memory is put back between
// executions, and this must not be.
#pragma once

#include "process/fiber.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unwind.h>

#define HIDDEN __attribute__((visibility("hidden")))
// Weak: a program may have a function of its own with such a name, like 'error'.
#define EXPORTED __attribute__((visibility("default"), weak))
// The runtime's own code is where it can be told from the program's.
#pragma clang section text = "lab_text"
extern HIDDEN const char __start_lab_text[], __stop_lab_text[];
// The address of the code that called a function which the program calls.
#define SITE ((uint64_t)__builtin_return_address(0))
// The same in a function in which a thread may wait: it is known then, too, where the stack of the function that called it ends.
#define SITE_OF_WAIT lab_note_caller((uint64_t)__builtin_frame_address(0) + 16, SITE)

typedef struct {
    compiled_program_t program;
    compiled_request_t request;
    int64_t result;
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
    // It has closed any.
    int has_closed;
    // A write has failed because nothing reads: the running thread gets SIGPIPE.
    int is_pipe_broken;
    // The program cancels threads; and the main one.
    int cancels, cancels_main;
    // It sends signals; and has handlers of them, so its waits are made of more steps.
    int kills, sends;
    // Waits for conditions are made of more steps than one.
    int waits_in_steps;
    // Threads may wait in rounds in which they only read: see spins.c.
    int watches_rounds;
    // Threads use variables that are on the stacks of others.
    int shares_stacks;
    // How much the running thread has done since its last step; and whether the next one is a pause because of that.
    uint32_t work;
    int is_pause;
    // The engine's own thread: its storage and, while a fiber runs, its stack.
    uint64_t host_storage;
    // The size of each thread's variables, which are below its storage.
    size_t storage_size;
    void *host_stack_pointer;
    // Where to continue if a stack that is read is damaged. Null: none is read.
    void **volatile way_out;
    // Where programs map memory, and how much of that each thread has used.
    uint64_t mappings, mapped[MOST_THREADS];
    // All stacks of threads, one after the other.
    char *stacks;
    // Beside the program's stack_depths, and as they are: what a search has seen.
    uint32_t *missed_depths;
    // Destroys the thread-local variables of C++. The C library has it for itself. Null: it has none.
    void (*destroy_variables)(void);
    // The keys that are in use have lower numbers.
    int key_count;
    // Of all executions: no key of a higher number was ever in use.
    int most_keys;
    void (*destructors[MOST_KEYS])(void *);
    uint8_t keys_in_use[MOST_KEYS];
    // By descriptor: it is threadlab's, and what the system says of it. Not known in an execution before it has looked.
    int has_looked_at_files;
    uint8_t own_files[MOST_FILES];
    struct pollfd looked_at[MOST_FILES];
    // std::cout, std::cerr and std::clog; null: not known yet, or the program has none.
    void *standard_streams[3];
    // std::cin; null: the same.
    void *standard_input;
    // The table of virtual functions of the buffers that become strings; null: the same.
    void *string_buffers;
    // By descriptor, and by channel.
    channel_t channels[MOST_FILES];
    const char *channel_names[MOST_CHANNELS];
    // By channel and thread: it waits for a change.
    uint8_t pollers[MOST_CHANNELS][MOST_THREADS];
    int channel_count;
    fiber_t fibers[MOST_THREADS];
} state_t;

// Null: the program runs as usual, on real threads.
extern HIDDEN state_t *lab_state;

static inline int lab_is_on_stack(uint64_t address) {
    return lab_state && address - (uint64_t)lab_state->stacks < (uint64_t)STACK * MOST_THREADS;
}

// A thread that computes for long, and takes no steps, lets others continue, in case it waits for them; for some seconds, in all: then it hangs.
enum { MUCH_WORK = 1 << 20, MOST_PAUSES = 1 << 9 };
HIDDEN void lab_pause(uint64_t site);
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

// Whether that is the runtime's code.
static inline int lab_is_runtime_code(uint64_t address) {
    return address >= (uint64_t)__start_lab_text && address < (uint64_t)__stop_lab_text;
}

// Whether that is code that tells of its accesses, and neither the runtime's nor another library's.
static inline int lab_is_program_code(uint64_t address) {
    return !lab_is_runtime_code(address) && compiled_place(&lab_state->program, address) != COMPILED_NO_PLACE;
}

// Ends a process that the program has made by a system call of its own: the engine is not for it.
HIDDEN void lab_leave_copy(void);
// This process runs executions.
HIDDEN void lab_begin_process(void);

// The running thread asks, and gets the result when the engine lets it continue.
HIDDEN int64_t lab_ask(compiled_request_t request);
// The same for a step on an object of the program's: ends the execution if its memory is freed before.
HIDDEN int64_t lab_use(compiled_request_t request);
// What the program does is more than threadlab follows, which it must not take for a failure of its own: the execution ends.
HIDDEN _Noreturn void lab_end_at_limit(const char *text, uint64_t site);

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
// Looks up all of them before the program's memory is remembered: what an execution finds out is forgotten after it.
HIDDEN void lab_find_real_functions(void);
// As dlsym, which is replaced.
HIDDEN void *lab_find(void *library, const char *name);

#include "files/files.h"
#include "libc/libc.h"
#include "memory/memory.h"
#include "process/process.h"
#include "threads/threads.h"
#include "waits/waits.h"
