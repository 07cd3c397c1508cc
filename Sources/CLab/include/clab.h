// What Swift cannot express: thread-local storage, the processor's clock, hooks into Swift's own runtime, and calls of
// the system that its Glibc module lacks.
#pragma once

// Avoids headers that Swift's Glibc module contains, too, because the feature macros differ: hence `int` for `pid_t`.
// Only processors without `rdtsc` need <time.h>.
#include <stdint.h>
#if !defined(__x86_64__)
#include <time.h>
#endif

// The record that the module Execution keeps of the calling thread in a run, or null outside a run.
extern _Thread_local void *clab_current_slot __attribute__((tls_model("initial-exec")));

static inline void *clab_current(void) { return clab_current_slot; }
static inline void clab_set_current(void *place) { clab_current_slot = place; }

// For a thread that watches another one: where the calling thread's `clab_current_slot` is, and what is stored at such
// an address now.
static inline void **clab_current_address(void) { return &clab_current_slot; }
void *clab_peek(void **address);

// Swift's runtime has a list of the variables that the calling thread is accessing, to check for exclusive access. With
// these two functions it changes between tasks: the second call moves the accesses that have begun since the first call
// from the list to `state`, which is zeros at first. The module Execution uses them to drop the accesses of a
// controlled run from the list: their records are on the stacks of its threads, which are reused.
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

// Removes the calling thread's access to this variable from Swift's checks. For a lock that is passed with `&` to a
// call in which the thread waits: other threads of a controlled run, which share one list, pass it, too. On threads of
// the system Swift does not see that conflict either, since each has a list of its own.
void clab_share_access(void *variable);

// The number of bytes from the address to the end of its segment, if that is a readable segment of the program or of a
// loaded library, where constants are. Otherwise 0.
uintptr_t clab_rest_of_segment(uintptr_t address);

// Ticks of the cheapest clock with a constant rate that agrees between cores: the invariant TSC where there is one.
// Without `lfence` an event may be stamped a few ns early, but never out of order on its own thread.
static inline uint64_t clab_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc(); // <x86intrin.h> would import half of the C library as a module
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

// The ticks after all earlier instructions have completed, which costs a few ns more. For writes to atomics, which
// other threads see at once.
static inline uint64_t clab_ticks_afterwards(void) {
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#endif
    return clab_ticks();
}

// Tells the processor that the thread spins. The processor then saves power, and leaves its execution units to the
// other hardware thread of the core.
static inline void clab_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Computes `state = state * factor + addend` `turns` times, and returns the last state. An empty assembly instruction
// in each turn hides the state from compiler and linker, so that no turn is left out, merged or moved.
uint64_t clab_repeat(uint64_t state, uint64_t factor, uint64_t addend, uint64_t turns);

// fork(2), which Swift marks as unavailable. Called while the process has one thread, or by a scenario that asks for
// it.
int clab_fork(void);

// Turns off address randomization for the programs that this process starts next. Returns 0, or an error number where
// the system does not allow it.
int clab_fix_addresses(void);

// Calls the function on a new thread with a stack of 8 MiB, and returns when the function has returned. The calling
// thread blocks all signals before that thread exists, and does not unblock them. If no thread can be created, the
// calling thread calls the function, with its signals as before.
void clab_call_on_new_thread(void *(*function)(void *), void *argument);

// Like pthread_create(3), for threadlab's own threads beside those of a program. They block all signals, which are
// meant for the program.
int clab_create_undisturbed_thread(unsigned long *thread, void *(*function)(void *), void *argument);

// Asks the kernel to kill the calling process when its parent dies, however it dies.
void clab_die_with_parent(void);

// From now on, the calling process ends with code 128 plus the signal's number if it has not ended `nanoseconds` after
// SIGINT, SIGTERM or SIGHUP arrived. The signal is found pending, or noted with `clab_note_ending`. Returns 0, or an
// error number.
int clab_watch_ending(uint64_t nanoseconds);
void clab_end_watching(void);
void clab_note_ending(int signal);
// The number of the first of these signals that has arrived, or 0.
int clab_ending_signal(void);
// The text that is written to standard error when the process is ended this way.
void clab_say_at_ending(const char *text, int length);

// Like fork(2), but the new process is a child of the caller's parent. For a process with one thread.
int clab_fork_sibling(void);

// The width of the terminal in columns, or 0 if the descriptor is not a terminal.
int clab_terminal_columns(int descriptor);

// The height of the terminal in rows, or 0.
int clab_terminal_rows(int descriptor);

// Makes standard output line-buffered, so that an abrupt end loses no complete line.
void clab_buffer_lines(void);

// Stores the return addresses of the calling thread's calls, the innermost first, at most `most`. Returns their number.
int clab_backtrace(void **frames, int most);

// Creates a pipe that is closed on exec from the beginning, so that programs started by other threads never inherit it.
// Returns 0, or an error number.
int clab_private_pipe(int ends[2]);

// The kernel's number for the calling thread.
int clab_thread_id(void);

// The number of processors that this process may use.
int clab_processor_count(void);

// Ends only the calling thread, at once: nothing is unwound, and no destructor runs.
_Noreturn void clab_end_thread(void);

// Installs a handler that only notes that its thread has received the signal. Returns 0, or -1 with errno.
int clab_note_signal(int number);

// Whether the calling thread has received the signal since the last call.
int clab_take_signal(void);

// Blocks or unblocks the signal for the calling thread. Returns 0, or an error number.
int clab_block_signal(int number, int isBlocked);

// Waits for the signal, which the caller has blocked, until a time on the monotonic clock. Returns 0, ETIMEDOUT or
// another error number.
int clab_wait_for_signal(int number, int64_t deadline);

// Sets the calling thread's nice value: Linux gives each thread its own, although POSIX defines it per process. Errors
// are ignored: it is a hint, and raising a priority needs a privilege.
void clab_set_nice(int nice);

// These functions wait until a time on the monotonic clock, in nanoseconds. They return 0, ETIMEDOUT or another error
// number.
//
// ThreadSanitizer does not intercept the calls that take a clock, and would lose track of the thread: under it, these
// use the real-time clock.
int clab_join_until(unsigned long thread, int64_t deadline);
int clab_read_lock_until(void *rwlock, int64_t deadline);
int clab_write_lock_until(void *rwlock, int64_t deadline);
int clab_semaphore_wait_until(void *semaphore, int64_t deadline);

// An initializer of a global or static variable that a thread of a controlled run is running. The record is on that
// thread's stack.
typedef struct clab_once {
    struct clab_once *next;
    const void *variable;
    // For the module Execution: the thread, and the lock that the thread holds while others wait for it; 0 if none
    // waits.
    int32_t thread;
    uint32_t lock;
} clab_once_t;

// The running initializers of a controlled run. Its threads share one thread of the operating system, which Swift's own
// `swift_once` would let wait for itself. `begin` and `end` are called around an initializer. `wait` is called when
// another thread needs the variable meanwhile, and returns when the initializer has returned.
typedef struct {
    clab_once_t *first;
    void (*begin)(clab_once_t *once);
    void (*wait)(clab_once_t *once);
    void (*end)(clab_once_t *once);
} clab_onces_t;

// From now on the calling thread's initializers belong to `onces`. Returns the previous ones, for `clab_leave_onces`.
clab_onces_t *clab_enter_onces(clab_onces_t *onces);
void clab_leave_onces(clab_onces_t *before);

// Abandons the threads that run these initializers: their variables become as if they had never been used.
void clab_abandon_onces(clab_onces_t *onces);

// Whether the calling thread is inside a `deinit`: whether Swift's runtime, on its stack, destroys an object because
// its last reference was released. It misses a `deinit` that the optimizer has inlined where the object is released, as
// for an object on the stack. Takes some microseconds.
int clab_is_in_deinit(void);

// Must be called before `clab_is_in_deinit`. Releases the only reference to an object whose `deinit` calls
// `clab_note_deinit`, to learn which functions of Swift's runtime are on the stack during a `deinit`. No symbols give
// their addresses.
void clab_learn_deinit(void *object);
void clab_note_deinit(void);

// Starts a program, which is searched for in `PATH`, in this folder and with no input. Its standard output, and with
// `keepsErrors` its standard error, go to `output`. Returns 0 and the process, or an error number. (Swift's Glibc
// module lacks `posix_spawn_file_actions_addchdir_np`.)
int clab_spawn(
    char *const *words, char *const *environment, const char *folder, int output, int keepsErrors, int *process);

// A report of ThreadSanitizer about this process, if the process is built with ThreadSanitizer: the threads, by their
// kernel numbers, and the accesses, each with its call stack, innermost first. A null ends a stack with fewer frames
// than the array has places.
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

// The number of reports that are kept: the first 64 at most.
int clab_race_count(void);
clab_race_t clab_race(int index);

// Describes a frame of such a report: function, file and line, separated by tabs. Empty without ThreadSanitizer.
void clab_describe(void *frame, char *text, unsigned long size);

// The name of the exported symbol that contains the address, in a loaded library, and where the symbol starts. Null:
// there is none.
const char *clab_variable_at(uintptr_t address, uintptr_t *start);
