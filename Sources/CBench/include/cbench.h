// The loops with which the benchmarks compare threadlab's primitives: the same operations in C on raw POSIX threads. A
// function with a `count` runs that many rounds. It returns the nanoseconds of the monotonic clock for all of them, or
// 0 if it has failed.
#pragma once

#include <stdint.h>

// Starts a thread that does nothing until cbench_company_end: the C library skips some synchronization in a process
// with one thread. Returns null if the thread cannot be created.
void *cbench_company_start(void);
void cbench_company_end(void *company);

uint64_t cbench_lock_unlock(uint64_t count);
uint64_t cbench_try_lock(uint64_t count);
uint64_t cbench_semaphore(uint64_t count);
// Two threads pass a turn back and forth, with a mutex and a condition.
uint64_t cbench_ping_pong(uint64_t count);
uint64_t cbench_create_join(uint64_t count);
// Reads of the monotonic clock, and of the processor's time stamp counter.
uint64_t cbench_clock(uint64_t count);
uint64_t cbench_ticks(uint64_t count);
// The time on the monotonic clock, in nanoseconds.
uint64_t cbench_now(void);

// Creates detached threads, each of which posts a semaphore and ends. Only the creations are timed.
uint64_t cbench_create_detached(uint64_t count);
// Two threads on one processor hand a byte back and forth through pipes: each round is two switches.
uint64_t cbench_switch(uint64_t count);
// Two threads lock and unlock one mutex, `count` times each.
uint64_t cbench_contended(uint64_t count);

uint64_t cbench_recursive(uint64_t count);
uint64_t cbench_read_lock(uint64_t count);
uint64_t cbench_write_lock(uint64_t count);
uint64_t cbench_spin_lock(uint64_t count);
// Calls of pthread_once. At most the first of them initializes.
uint64_t cbench_once(uint64_t count);

// Two threads perform these operations on one object, `count` rounds each.
uint64_t cbench_barrier(uint64_t count);
uint64_t cbench_contended_write_lock(uint64_t count);
uint64_t cbench_contended_spin_lock(uint64_t count);
uint64_t cbench_contended_semaphore(uint64_t count);
uint64_t cbench_contended_add(uint64_t count);

// Runs the body on two threads at once, of which one is the calling thread. Returns the time until both have ended.
uint64_t cbench_both(void (*body)(void *), void *argument);

uint64_t cbench_add(uint64_t count);
uint64_t cbench_compare_exchange(uint64_t count);

// The memory of a thread that only waits, in bytes. 0: it cannot be measured.
struct cbench_memory {
    uint64_t kernel;    // the kernel's stacks
    uint64_t touched;   // resident memory of the process, such as used pages of the stack
    uint64_t reserved;  // the default size of a stack, most of which is never used
};
// Starts this number of threads, and measures the average.
struct cbench_memory cbench_thread_memory(unsigned threads);
