// What the benchmarks compare with: the same loops in C on raw POSIX threads. Each runs `count` rounds and returns
// nanoseconds of the monotonic clock for all of them.
#pragma once

#include <stdint.h>

// A thread that does nothing until it is asked to end: with it the process has several threads. Null: it cannot be
// created.
void *cbench_company_start(void);
void cbench_company_end(void *company);

uint64_t cbench_lock_unlock(uint64_t count);
uint64_t cbench_try_lock(uint64_t count);
uint64_t cbench_semaphore(uint64_t count);
uint64_t cbench_ping_pong(uint64_t count);
uint64_t cbench_create_join(uint64_t count);
uint64_t cbench_clock(uint64_t count);
uint64_t cbench_ticks(uint64_t count);
uint64_t cbench_now(void);

// Detached threads that each post a semaphore; the time of the creations alone.
uint64_t cbench_create_detached(uint64_t count);
// Two threads on one processor hand a byte back and forth through pipes: each round is two switches.
uint64_t cbench_switch(uint64_t count);
// Two threads lock and unlock one mutex, `count` times each.
uint64_t cbench_contended(uint64_t count);
uint64_t cbench_recursive(uint64_t count);
uint64_t cbench_read_lock(uint64_t count);
uint64_t cbench_write_lock(uint64_t count);
uint64_t cbench_spin_lock(uint64_t count);
// The cost of finding that the initialization is done.
uint64_t cbench_once(uint64_t count);
// Two threads, `count` rounds each.
uint64_t cbench_barrier(uint64_t count);
uint64_t cbench_contended_write_lock(uint64_t count);
uint64_t cbench_contended_spin_lock(uint64_t count);
uint64_t cbench_contended_semaphore(uint64_t count);
uint64_t cbench_contended_add(uint64_t count);
// Runs the body in two threads at once, one of which is the calling one.
uint64_t cbench_both(void (*body)(void *), void *argument);
uint64_t cbench_add(uint64_t count);
uint64_t cbench_compare_exchange(uint64_t count);

// What threads cost that only wait. All in bytes per thread; 0: it cannot be measured.
struct cbench_memory {
    uint64_t kernel;    // the kernel's stacks
    uint64_t touched;   // resident memory of the process
    uint64_t reserved;  // the default size of a stack
};
struct cbench_memory cbench_thread_memory(unsigned threads);
