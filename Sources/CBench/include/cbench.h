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
