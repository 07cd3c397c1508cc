// What Swift cannot express and a hot path needs: the one documented thread-local, and the processor's clock.
#pragma once

// No header that Swift's view of the C library contains too, seen with other feature macros: `int` stands for `pid_t`.
#include <stdint.h>
#if !defined(__x86_64__)
#include <time.h>
#endif

// The thread's place in the current lab (Execution's own record), or null outside a run.
extern _Thread_local void *clab_current_slot __attribute__((tls_model("initial-exec")));

static inline void *clab_current(void) { return clab_current_slot; }
static inline void clab_set_current(void *place) { clab_current_slot = place; }

// Ticks of the cheapest clock that keeps its pace and agrees between cores: the invariant TSC where there is one.
// `lfence` is left out: an event may be stamped a few ns early, never in the other order on its own thread.
static inline uint64_t clab_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc(); // <x86intrin.h> would drag in half of the C library as a module
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

// The same, once everything before is done: a few ns more. For an atomic's writes, which other threads see at once.
static inline uint64_t clab_ticks_afterwards(void) {
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#endif
    return clab_ticks();
}

// fork(2), which Swift marks as unavailable. Only called while the process has one thread.
int clab_fork(void);

// Asks the kernel to kill the calling process when its parent dies, however it dies.
void clab_die_with_parent(void);

// The columns of the terminal behind the descriptor, or 0.
int clab_terminal_columns(int descriptor);

// Its height; 0 if it is no terminal.
int clab_terminal_rows(int descriptor);

// Hands on what the program prints a line at a time, so that a sudden end loses none of it.
void clab_buffer_lines(void);

// The kernel's number of the calling thread.
int clab_thread_id(void);

// Sets the calling thread's nice value: Linux gives each thread its own, whatever POSIX says of processes. Errors are
// dropped: it is a hint, and raising a priority takes a privilege.
void clab_set_nice(int nice);

// Waits until a time on the monotonic clock, in nanoseconds; the error code, 0 or ETIMEDOUT for instance. ThreadSanitizer
// does not know the calls that take a clock, and would lose sight of the thread: for it, they use the real-time clock.
int clab_join_until(unsigned long thread, int64_t deadline);
int clab_read_lock_until(void *rwlock, int64_t deadline);
int clab_write_lock_until(void *rwlock, int64_t deadline);
int clab_semaphore_wait_until(void *semaphore, int64_t deadline);
