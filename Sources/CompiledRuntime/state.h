// What the parts of the runtime share. All that changes is in one mapping of its own, because the program's memory is put back between
// executions, and this must not be.
#pragma once

#include "CCompiled.h"
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

enum {
    MOST_THREADS = 256,
    // As the C library has.
    MOST_KEYS = 1024,
    // Keys that the program makes before it runs under the engine are those of the C library, and lower.
    FIRST_KEY = 1 << 20,
    PAGE = 4096,
    STACK = COMPILED_STACK,
    MOST_FILES = 1024,
    MOST_CHANNELS = 1024,
};

// What has a lock and a condition, of which the runtime makes something.
typedef struct {
    const volatile void *address;
    uint64_t site;
    // What the program waits at is a condition of its own; is a word of memory.
    int is_condition, is_futex;
    // What is beside something: the step uses that, too.
    int is_use;
    // If it is not in the program's memory: what it is to a thread.
    const char *text;
    int thread;
} lab_place_t;

// What a thread knows of its cancellation, and of what others send to it.
typedef struct {
    // What it is asked for: whether it is cancelled, and how many signals were for it. Only a step reads or writes it.
#define LAB_CANCELLED 1
#define LAB_SIGNAL 2
    uint64_t requests;
    // What its last step on that has read, and what signals it has looked for.
    uint64_t known, seen;
    int is_disabled, is_asynchronous;
    // Where it waits, if others may end that; no address: nowhere. Whether a cancellation does.
    lab_place_t place;
    int is_point;
    // How many others are about to take the lock of that place; and what those want that have done so, as requests.
    int is_sought, is_interrupted;
    // All that wait at the place were woken, because one of them was meant.
    int is_disturbed;
} cancellation_t;

// A word of a thread's stack, and the bits of it that others have written.
typedef struct {
    uint64_t *word, bits;
} foreign_t;

// What a thread has done since it last changed something: see spins.c.
typedef struct {
    // Where it has read, before it is known that it does so in rounds.
    uint64_t sites[8];
    uint32_t count;
    // The operations that have changed nothing, each as a hash.
    uint64_t updates[4];
    uint32_t update_count;
    // Whether it watches what it reads; where the round begins, and what the thread was there.
    int watches;
    uint64_t site, state;
    // Where the part of the stack begins that is in the state, and what others have written of it since.
    const uint64_t *entry;
    foreign_t foreign[8];
    uint32_t foreign_count;
    // The reads since then; after how many of them the round begins elsewhere.
    uint32_t reads, limit;
} rounds_t;

// While steps are learned: what a thread has read since its last step or write, as far as it repeats itself.
enum { MOST_QUIET = 8 };
typedef struct {
    uint64_t last[MOST_QUIET];
    // How often it has read; how many reads a round has; and how many reads in a row were those of the round before.
    uint64_t count, period, repeats;
} quiet_t;

typedef enum { channel_pipe, channel_socket, channel_counter, channel_epoll } channel_kind_t;
typedef struct {
    // The channel that a descriptor is of; 0: none.
    int number;
    channel_kind_t kind;
    // Of an epoll: it watches others than channels, too.
    int has_others;
} channel_t;

typedef struct {
    void *stack_pointer;
    // By SITE_OF_WAIT; and while it is suspended: below that, the stack has no variables of the program.
    uint64_t caller_site, caller_stack, live_stack;
    // The thread's pointer to its own storage, by which the processor finds thread-local variables; 0: not made yet.
    uint64_t storage;
    // Where the thread has the variables of each module, those of libraries that are loaded late elsewhere; and what is there at first.
    void *vector, *fresh_vector;
    char *stack;
    // It has ended, so what is there is used by no other thread.
    int has_ended;
    // The bytes at its top that are cleared before it is used; and how often it has been.
    size_t depth;
    uint64_t uses;
    void *(*body)(void *);
    void *argument;
    void *result;
    // How many random numbers it has had.
    uint32_t random_count;
    int is_detached;
    int is_joined;
    // What it was called by pthread_setname_np; empty: as the program is.
    char name[16];
    // What pthread_setschedparam has set.
    int policy, priority;
    // What the other functions of that have set, by the thread's number.
    int nice, has_processors;
    cpu_set_t processors;
    // It asked for a stack that is larger than all are.
    int wants_more_stack;
    void *values[MOST_KEYS];
    // The innermost handler that pthread_cleanup_push of C has registered.
    __pthread_unwind_buf_t *cleanup;
    // The word of memory at which it waits by the system call, and for which bits; 0: none.
    uint64_t futex;
    uint32_t futex_bits;
    // Another has woken threads there.
    int is_futex_woken;
    // How many locks of the runtime it holds, or is about to take: it handles no signals meanwhile.
    int held;
    // What it has set by sigaltstack.
    stack_t signal_stack;
    // While a handler of the program runs: the fault.
    compiled_request_t fault;
    // The place in the program's code for which a library, without a lock of its own, releases memory; 0: none.
    uint64_t release_site;
    // It ends the process: what is the program's of its stack begins here. Null: where it is suspended.
    const uint64_t *last_frame;
    // While its frames are unwound: the exception that does it.
    struct _Unwind_Exception unwinding;
    cancellation_t cancellation;
    rounds_t rounds;
    quiet_t quiet;
    // How often it has paused since its last step: see lab_pause.
    uint32_t pauses;
    // The time that it has read last, and how often it has done that since much had passed: in all, and with no other step between.
    int64_t time;
    uint32_t time_reads, idle_reads;
    // The condition that it waits at, with programs that cancel threads; and whether a signal was for it.
    const void *condition;
    int is_chosen;
    // The lock that it waits for, if a signal's handler may run meanwhile.
    const volatile void *lock;
    // One of the channels that it polls has changed.
    int is_stirred;
    // The robust mutexes that it holds.
    __pthread_list_t *robust;
    // It has left its body; and how many threads wait for that which can be cancelled.
    uint64_t has_left;
    int end_waiters;
} fiber_t;

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


// spins.c
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

// The running thread is about to ask for that, to read and to do nothing else there. entry: from lab_take_entry.
HIDDEN compiled_watch_t lab_watch(const compiled_request_t *request, const uint64_t *entry);
// The running thread is about to write a variable that may be on the stack of another.
HIDDEN void lab_change_stack(uint64_t address, uint64_t size);
HIDDEN uint64_t lab_hash_of_request(const compiled_request_t *request);
// Whether it is known to do nothing but read, so that to yield would change nothing.
static inline int lab_is_in_rounds(void) { return lab_state->fibers[lab_state->current].rounds.watches; }
// For the engine: a read of the thread is not watched; and a round was not as the one before.
HIDDEN void lab_disturb_thread(uint32_t thread);
HIDDEN void lab_stop_watching(void);
HIDDEN void lab_begin_rounds(void);
// That rounds differ is learned.
HIDDEN void lab_take_rounds(void);

// Whether that is the runtime's code.
static inline int lab_is_runtime_code(uint64_t address) {
    return address >= (uint64_t)__start_lab_text && address < (uint64_t)__stop_lab_text;
}

// Whether that is code that tells of its accesses, and neither the runtime's nor another library's.
static inline int lab_is_program_code(uint64_t address) {
    return !lab_is_runtime_code(address) && compiled_place(&lab_state->program, address) != COMPILED_NO_PLACE;
}

// refused.c: ends the execution, under the engine. Otherwise it returns the next library's function.
HIDDEN void *lab_refuse(const char *name, uint64_t site);

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
// False: it is not found on the thread's stack.
HIDDEN int lab_find_live(uint32_t thread, live_t *live);
// Before the program's memory is remembered.
HIDDEN void lab_begin_calls(void);
// At a fault: if that is because a damaged stack is read, reading it ends here, and this does not return.
HIDDEN void lab_leave_walk(void);

// pages.c
// A mapping of the runtime itself, which is not put back. MAP_FAILED: there is no room.
HIDDEN void *lab_map(size_t size, int flags);
// What is mapped there is the runtime's.
HIDDEN void lab_keep(void *start, size_t size);
HIDDEN void lab_find_regions(void);
HIDDEN void lab_remember_pages(void);
HIDDEN void lab_put_pages_back(void);
// One of those that executions have written, from 0 on. Null: there are no more.
HIDDEN char *lab_written_page(int number);
HIDDEN int lab_is_first_write(void *address);
HIDDEN void lab_make_writable(const void *start, size_t size);

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
// Ends the process. site: of the call; 0: main has returned.
HIDDEN _Noreturn void lab_exit(int code, uint64_t site);
// What is done before that: handlers, and what standard streams have not written.
HIDDEN void lab_finish(int code, uint64_t site);
HIDDEN void lab_die(int number);

// signals.c
// Before threadlab sets any.
HIDDEN void lab_remember_actions(void);
// What the system blocks before the program's constructors, and again when they have been called: what they block is blocked for the program's
// threads alone, because memory is put back after faults.
HIDDEN void lab_remember_mask(void);
HIDDEN void lab_begin_masks(void);
// A write that nothing reads: threadlab's handler of the system's signal.
HIDDEN void lab_take_broken_pipes(void);
// The running thread gets SIGPIPE, if a write of it has failed so.
HIDDEN void lab_take_broken_pipe(uint64_t site);
// Whether that is to be taken; from here on the caller does.
HIDDEN int lab_was_pipe_broken(void);
// Sets the handler of all faults.
HIDDEN void lab_take_faults(const struct sigaction *action);
// The thread continues in its own handler of this fault, which is the execution's end if that returns. False: it has none.
HIDDEN int lab_enter_handler(int number, const siginfo_t *info, void *context, compiled_request_t fault);
// Before memory is.
HIDDEN void lab_put_process_back(void);

// The program's action for the signal. 0: it is known.
HIDDEN int lab_signal_action(int number, struct sigaction *action);

// Its own handler is not called again.
HIDDEN void lab_reset_action(int number);

// delivery.c
// A signal could be handled by the running thread, at its next step.
HIDDEN int lab_can_be_signalled(void);
// The running thread handles those that it does not block.
HIDDEN lab_handled_t lab_deliver_signals(uint64_t site);
// The running thread has sent itself one.
HIDDEN void lab_signal_self(int number, uint64_t site);
// With the lock of what is known of signals: what is pending and would be ignored from now on is forgotten, also if it is blocked.
HIDDEN void lab_discard_signals(int number);
// The lock of what is known of signals.
HIDDEN void lab_lock_signals(uint64_t site);
HIDDEN void lab_unlock_signals(uint64_t site);
// A new thread blocks what the running one blocks.
HIDDEN void lab_inherit_mask(int thread);
// Around the making of a thread: whether it can get a signal depends on whether that was sent before.
HIDDEN int lab_begin_making(uint64_t site);
HIDDEN void lab_end_making(int is_locked, uint64_t site);
// The running thread handles no signals any more.
HIDDEN void lab_leave_signals(uint64_t site);
// As pthread_sigmask.
HIDDEN void lab_change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site);
// Without handling what is no longer blocked. Returns what was blocked before.
HIDDEN uint64_t lab_swap_mask(const sigset_t *set, uint64_t site);
HIDDEN void lab_put_mask_back(uint64_t before, uint64_t site);
// What the running thread blocks, without a step.
HIDDEN uint64_t lab_own_mask(void);

// timers.c
// The program has a timer that sends a signal; ends the execution if it handles that.
HIDDEN int lab_has_timers(void);
HIDDEN void lab_check_timers(uint64_t site);

// heap.c
HIDDEN void lab_make_heap(void);
HIDDEN void lab_remember_heap(void);
HIDDEN void lab_put_heap_back(void);
HIDDEN int lab_heap_block(uint64_t address, uint64_t *start, uint64_t *size, uint64_t *site);
// Ends the execution if a byte of it was freed.
HIDDEN void lab_check_use(uint64_t address, uint64_t size, uint64_t site);
// Ends the execution: the object is used, and was destroyed or never initialized.
HIDDEN void lab_refuse_unmade(const volatile void *object, uint64_t site);
HIDDEN int lab_is_in_heap(uint64_t address);
// As many of the bytes as are in the block that the address is in. All: it is in none.
HIDDEN uint64_t lab_rest_of_block(uint64_t address, uint64_t size);
// Whether the thread of these variables, which are in a block, has ended.
HIDDEN void lab_set_ended(const void *variables, size_t size, int is_over);
HIDDEN void *lab_allocate(size_t size, size_t alignment, uint64_t site);
HIDDEN void lab_free(void *block, uint64_t site);
HIDDEN void lab_kept_heap(char **blocks, size_t *block_size, char **marks, size_t *mark_size);

// leaks.c
HIDDEN void lab_begin_leaks(void);
// For the engine, when an execution is over: see compiled_program_t.
HIDDEN uint32_t lab_find_lost(compiled_lost_t *found, uint32_t most, uint32_t *others);
// There may be pointers where they are not looked for, so nothing is said of lost memory: in this execution; if none runs, in all.
HIDDEN void lab_hide_pointers(void);
// The system has this pointer.
HIDDEN void lab_hide_pointer(uint64_t pointer);
// The execution is over.
HIDDEN void lab_end_hiding(void);

// channels.c
HIDDEN void lab_begin_channels(void);
// A system call of the runtime.
HIDDEN long lab_system(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f);
// From here on its descriptors are like others, which may block the process.
HIDDEN void lab_forget_channel(int number, uint64_t site);
// Null: the descriptor is of no channel.
HIDDEN channel_t *lab_channel(int file);
HIDDEN lab_place_t lab_channel_place(int number, uint64_t site);
// transfers.c: threads that wait for the channel look again.
HIDDEN void lab_change(int channel, uint64_t site);
// With its lock held, which it releases: they do so when they get it.
HIDDEN void lab_end_change(int channel, uint64_t site);
// Before and after a call that may change any of them. Returns how many there are.
HIDDEN int lab_begin_changes(uint64_t site);
HIDDEN void lab_end_changes(int count, uint64_t site);
// polls.c: and those that wait for one of several. With its lock held.
HIDDEN void lab_stir(int channel, uint64_t site);

// descriptors.c: the running thread is about to use a descriptor, to close it, or to put another file there.
HIDDEN void lab_make_descriptors(void);
HIDDEN void lab_begin_descriptors(void);
HIDDEN void lab_use_descriptor(int file, uint64_t caller);
HIDDEN void lab_close_descriptor(int file, uint64_t caller);
HIDDEN void lab_replace_descriptor(int file, uint64_t caller);

// constructors.c
// Whether constructors are a part of each execution: then the C library does not call them. all: what it would call; null: those of the file.
HIDDEN int lab_take_constructors(void (*all)(void));
HIDDEN void lab_run_constructors(int count, char **words, char **variables);
// A thread is about to be started that is not under control. Before the engine is there, the process begins again for that.
HIDDEN void lab_begin_again_for_threads(void);

// random.c
// Of a function that opens files: what it calls instead, if the file has random numbers. Null: it has none.
HIDDEN void *lab_open_random(const char *path, int is_stream);

// common.c
// Before there is an engine, because what it allocates is the program's: where the C library has what it returns.
HIDDEN void lab_find_common(void);

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

// files.c: the files that are open before an execution, and those that it has opened.
// Before threadlab opens any.
HIDDEN void lab_find_files(void);
// Before the engine is loaded.
HIDDEN void lab_reserve_files(void);
// Before an execution.
HIDDEN void lab_begin_files(void);
// To be called before the program opens or closes any.
HIDDEN void lab_look_at_files(void);
// The descriptor is threadlab's, so for the program it is not open.
HIDDEN int lab_is_own_file(int file);
// The program may not put another file there.
HIDDEN void lab_check_file(int file, uint64_t site);
HIDDEN void lab_remember_files(void);
HIDDEN void lab_close_files(void);
// The program is about to close it.
HIDDEN void lab_note_closed(int file);

// input.c
// Before processes are forked: what one of them copies is for all.
HIDDEN void lab_prepare_input(void);
HIDDEN void lab_remember_input(void);
HIDDEN void lab_rewind_input(void);
// The program may read it by other functions than those that are known to.
HIDDEN void lab_copy_input(uint64_t site);
// Of a function that opens files: what it calls instead, if the file is its standard input, and that was copied. Null: it is not.
HIDDEN void *lab_open_input(const char *path, int is_stream, uint64_t site);
// The program is about to read it. Whether the schedule decides what it gets.
HIDDEN int lab_use_input(uint64_t site);
// The descriptor's place in the file is that of other processes, too.
HIDDEN void lab_share_input(void);
// Before the process begins again: what was copied is its standard input. False: that is not possible.
HIDDEN int lab_give_input_again(void);

// mutexes.c
HIDDEN uint32_t lab_mutex_kind(const pthread_mutex_t *mutex);
HIDDEN int lab_lock(pthread_mutex_t *mutex, compiled_kind_t kind, int64_t deadline, uint64_t site);
// Releases one hold of it.
HIDDEN void lab_release(pthread_mutex_t *mutex, uint64_t site);

// robust.c
HIDDEN int lab_is_robust(const pthread_mutex_t *mutex);
// The running thread holds it from now on, or no longer: then the mark is returned that it is to be released with.
HIDDEN void lab_keep_robust(pthread_mutex_t *mutex, int has_owner_died);
HIDDEN int64_t lab_drop_robust(pthread_mutex_t *mutex);
// Those that the running thread holds when it ends.
HIDDEN void lab_abandon_mutexes(void);

// Where the runtime has a lock and a condition for what is at the address.
static inline const volatile void *lab_beside(const volatile void *object) {
    return (const volatile void *)((uint64_t)object | COMPILED_BESIDE);
}

// locks.c
// A step on the lock or the condition that the runtime makes something of: reports speak of the whole.
HIDDEN int64_t lab_inside(compiled_kind_t kind, lab_place_t place, int64_t deadline);
// Destroys what is at the address: a step, if other threads may use it.
HIDDEN void lab_destroy(const volatile void *object, uint32_t kind, uint64_t site);
// It is as new from here on. value: of a semaphore.
HIDDEN void lab_renew(const volatile void *object, uint32_t kind, int64_t value, uint64_t site);

// clock.c
// Reads the limit, and says whether a wait can have it: otherwise it fails with EINVAL.
HIDDEN int lab_is_limit(clockid_t clock, const struct timespec *limit, uint64_t site);
// The moment of the virtual clock that the time of this clock stands for, not before the beginning.
HIDDEN int64_t lab_deadline_of(clockid_t clock, const struct timespec *limit);
// The moment when this time has passed from now on.
HIDDEN int64_t lab_deadline_after(const struct timespec *duration);

// code.c
HIDDEN void lab_find_code(void);

// mappings.c
HIDDEN void lab_make_mappings(void);
HIDDEN void lab_put_mappings_back(void);
// What the thread has mapped, some of which may not be any more.
HIDDEN int lab_mapped(int thread, uint64_t *start, uint64_t *size);

// accesses.c
HIDDEN void lab_make_sites(void);
// The running thread has started a thread, or joined one.
HIDDEN void lab_note_start(int started);
HIDDEN void lab_note_join(int joined);
HIDDEN void lab_begin_learning(void);
HIDDEN int64_t lab_peek(uint64_t address, uint32_t size);
// An atomic operation is on this memory: plain accesses of it are steps, too.
HIDDEN void lab_note_atomic(const volatile void *memory, uint64_t size, int writes);
// atomics.c
// The running thread is about to do an atomic operation: a step, if there are several threads.
HIDDEN void lab_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site);
// texts.c
// Looks up those that the runtime itself uses, also where memory cannot be written.
HIDDEN void lab_find_memory_functions(void);
// refused.c
HIDDEN void lab_find_noted_functions(void);

// accesses.c, too.
// It has happened in a search.
HIDDEN void lab_note(compiled_note_t note);
// The program has called it, which does more than is under control.
HIDDEN void lab_note_call(const char *name);
// The running thread is about to read or write memory: a step, if other threads may use it too.
HIDDEN void lab_note_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller);
// As a write of all of the block, if the program's code releases it. If a library's does, that is noted where it matters.
HIDDEN void lab_note_release(const volatile void *block, uint64_t size, uint64_t caller);
// Between the two, what a library releases is released as by the program's code at this place: the library holds no lock meanwhile.
HIDDEN uint64_t lab_begin_release(uint64_t site);
HIDDEN void lab_end_release(uint64_t before);
// Only learns from it. Returns whether accesses at this place in the code are steps.
HIDDEN int lab_learn_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller);
// The same for what is not in the program's memory. text, number: what reports call it.
HIDDEN void lab_note_named_access(
    const volatile void *memory, uint64_t size, int writes, uint64_t caller, const char *text, uint32_t number);

// If there is no such memory, the thread notices here, where it is.
static inline void lab_touch(const volatile void *memory, uint64_t site) {
    lab_state->touching_site = site;
    (void)*(const volatile char *)memory;
    lab_state->touching_site = 0;
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
// Looks up all of them before the program's memory is remembered: what an execution finds out is forgotten after it.
HIDDEN void lab_find_real_functions(void);
// As dlsym, which is replaced.
HIDDEN void *lab_find(void *library, const char *name);
