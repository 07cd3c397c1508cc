// What Swift cannot express and a hot path needs: the one documented thread-local, and the processor's clock.
#pragma once

// Includes no header that Swift's Glibc module contains too, since the feature macros differ: hence `int` for `pid_t`.
#include <stdint.h>
#if !defined(__x86_64__)
#include <time.h>
#endif

// The thread's place in the current lab (Execution's own record), or null outside a run.
extern _Thread_local void *clab_current_slot __attribute__((tls_model("initial-exec")));

static inline void *clab_current(void) { return clab_current_slot; }
static inline void clab_set_current(void *place) { clab_current_slot = place; }

// For a thread that watches another one: where the calling thread's place is kept, and what is kept there now.
static inline void **clab_current_address(void) { return &clab_current_slot; }
void *clab_peek(void **address);

// Swift's list of the variables that the calling thread is changing. Between the two calls, which belong to Swift's
// runtime and were made for tasks, whatever is added belongs to `state`, which begins as zeros, and leaves the list with
// the second one.
extern void swift_task_enterThreadLocalContext(char *state);
extern void swift_task_exitThreadLocalContext(char *state);
typedef struct {
    uintptr_t words[4];
} clab_accesses_t;
static inline void clab_begin_accesses(clab_accesses_t *state) {
    *state = (clab_accesses_t){{0, 0, 0, 0}};
    swift_task_enterThreadLocalContext((char *)state);
}
static inline void clab_end_accesses(clab_accesses_t *state) { swift_task_exitThreadLocalContext((char *)state); }

// Lets the calling thread's accesses to this variable not exclude those of others: for a lock whose address is taken by
// `&` for the time of a call, in which the thread waits. On threads of the system's Swift does not see that either,
// since each has a list of its own.
void clab_share_access(void *variable);

// Ticks of the cheapest clock that keeps its pace and agrees between cores: the invariant TSC where there is one.
// Without `lfence`: an event may be stamped a few ns early, but never out of order on its own thread.
static inline uint64_t clab_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc(); // <x86intrin.h> would import half of the C library as a module
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

// The same after all earlier instructions: takes a few ns more. For writes to atomics, which other threads see at once.
static inline uint64_t clab_ticks_afterwards(void) {
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#endif
    return clab_ticks();
}

// Tells the processor that the thread spins: it saves power, and gives its sibling the execution units.
static inline void clab_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// state = state * factor + addend, this many times; returns the last state. The empty instruction in each turn may do
// anything with the state, as far as compiler and linker know: so no turn can be left out, joined with another, or moved.
uint64_t clab_repeat(uint64_t state, uint64_t factor, uint64_t addend, uint64_t turns);

// fork(2), which Swift marks as unavailable. Called while the process has one thread, or by a scenario that asks for it.
int clab_fork(void);

// From the next program on that this process starts: it is loaded at the same addresses each time. Returns 0, or an error: the system does not
// allow it.
int clab_fix_addresses(void);

// Calls the function on a new thread, with a stack of 8 MiB, and returns when it has returned. From before that thread
// exists the calling thread gets no signals. If no thread can be created, the calling thread makes the call.
void clab_call_on_new_thread(void *(*function)(void *), void *argument);

// As pthread_create(3), for threads of threadlab's own beside those of a program: they get no signals, which are meant
// for the program.
int clab_create_undisturbed_thread(unsigned long *thread, void *(*function)(void *), void *argument);

// Asks the kernel to kill the calling process when its parent dies, however it dies.
void clab_die_with_parent(void);

// From now on the calling process ends with 128 plus the number of SIGINT, SIGTERM or SIGHUP if it has not ended by itself when it was asked to,
// by a signal that it blocks and does not take, or that it has taken and noted: that time after it. Returns 0, or an error number.
int clab_watch_ending(uint64_t nanoseconds);
void clab_end_watching(void);
void clab_note_ending(int signal);
// The signal that has come, or 0.
int clab_ending_signal(void);
// What it writes to standard error then.
void clab_say_at_ending(const char *text, int length);

// As fork(2), but the new process is a child of the caller's parent. For a process with one thread.
int clab_fork_sibling(void);

// The columns of the terminal behind the descriptor, or 0.
int clab_terminal_columns(int descriptor);

// Its height; 0 if it is not a terminal.
int clab_terminal_rows(int descriptor);

// Makes output line-buffered, so that a sudden end loses none of it.
void clab_buffer_lines(void);

// The return addresses of the calling thread's calls, the innermost first: not more than `most`. Returns their number.
int clab_backtrace(void **frames, int most);

// Creates a pipe that programs started by other threads do not inherit, not even in between.
// Returns 0, or an error number.
int clab_private_pipe(int ends[2]);

// The kernel's number of the calling thread.
int clab_thread_id(void);

// The number of processors that this process may use.
int clab_processor_count(void);

// Ends the calling thread alone, and at once: nothing is unwound, and no destructor runs.
_Noreturn void clab_end_thread(void);

// Installs a handler that only notes, for the thread that gets the signal, that it did.
int clab_note_signal(int number);

// Whether the calling thread has got the signal since the last call.
int clab_take_signal(void);

// Blocks or unblocks the signal for the calling thread.
int clab_block_signal(int number, int isBlocked);

// Waits for the signal, which the caller blocks, until a time on the monotonic clock; the error code, 0 or ETIMEDOUT.
int clab_wait_for_signal(int number, int64_t deadline);

// Sets the calling thread's nice value: Linux gives each thread its own, although POSIX defines it per process. Errors
// are ignored: it is a hint, and raising a priority needs a privilege.
void clab_set_nice(int nice);

// Waits until a time on the monotonic clock, in nanoseconds; the error code, 0 or ETIMEDOUT for instance.
// ThreadSanitizer does not intercept the calls that take a clock, and would lose track of the thread: for it, they use
// the real-time clock.
int clab_join_until(unsigned long thread, int64_t deadline);
int clab_read_lock_until(void *rwlock, int64_t deadline);
int clab_write_lock_until(void *rwlock, int64_t deadline);
int clab_semaphore_wait_until(void *semaphore, int64_t deadline);

// An initializer of a global or static variable that a thread of a controlled run is running. On that thread's stack.
typedef struct clab_once {
    struct clab_once *next;
    const void *variable;
    // For Execution: the thread, and the lock that it holds for threads that wait. 0: no thread waits.
    int32_t thread;
    uint32_t lock;
} clab_once_t;

// Those of a controlled run, whose threads share one thread of the operating system: Swift's own `swift_once` would let
// that one wait for itself. `begin` and `end` are called around an initializer, and `wait` by another one that needs the
// variable meanwhile; it returns when the initializer has returned.
typedef struct {
    clab_once_t *first;
    void (*begin)(clab_once_t *once);
    void (*wait)(clab_once_t *once);
    void (*end)(clab_once_t *once);
} clab_onces_t;

// From here on the calling thread's initializers are among these. Returns those before, for the second call.
clab_onces_t *clab_enter_onces(clab_onces_t *onces);
void clab_leave_onces(clab_onces_t *before);

// The threads that run these initializers are left behind: the variables are as if they had never been used.
void clab_abandon_onces(clab_onces_t *onces);

// Whether the calling thread is inside a `deinit`: whether Swift's runtime, on its stack, destroys an object because
// its last reference was released. Not seen is a `deinit` that the optimizer has made a part of the code that releases:
// that of an object on the stack. Takes some microseconds.
int clab_is_in_deinit(void);

// Before that: releases the only reference to an object whose `deinit` calls `clab_note_deinit`, and so learns which
// functions of Swift's runtime are then on the stack. They have no names that a program could ask for.
void clab_learn_deinit(void *object);
void clab_note_deinit(void);

// Starts a program of `PATH` in a folder, without input, with its output in `output` and its errors there too or nowhere. Returns an
// error number, or 0 and the process. (Swift's module of glibc has no `posix_spawn_file_actions_addchdir_np`.)
int clab_spawn(
    char *const *words, char *const *environment, const char *folder, int output, int keepsErrors, int *process);

// What ThreadSanitizer has reported in this process, if it is built with it: the threads of each report, as the kernel
// numbers them, and the accesses, each with its calls, the innermost first; after the last call stands a null.
enum { CLAB_MOST_THREADS = 4, CLAB_MOST_ACCESSES = 2, CLAB_MOST_FRAMES = 8 };
typedef struct {
    int isWrite;
    void *frame[CLAB_MOST_FRAMES];
} clab_access_t;
typedef struct {
    int threads;
    int thread[CLAB_MOST_THREADS];
    int accesses;
    clab_access_t access[CLAB_MOST_ACCESSES];
} clab_race_t;

// The number of reports. Not more than 64 are kept.
int clab_race_count(void);
clab_race_t clab_race(int index);

// The function, the file and the line of a call of such a report, with tabs between them.
void clab_describe(void *frame, char *text, unsigned long size);

// The linker's name of what a loaded library exports at the address, and where that starts. NULL: nothing.
const char *clab_variable_at(uintptr_t address, uintptr_t *start);
