// The data of a run, and what the files of CLitmus call of each other.
#pragma once

#include "clitmus.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// The size of a cache line, in bytes.
enum { LINE = 64 };

// An instruction, with the address of the code that performs it.
typedef struct {
    const void *handler;
    uint16_t r, a, b, i;
    int32_t place;
    uint8_t order, failureOrder;
} step_t;

// What a thread writes and others read, on a cache line of its own.
typedef struct {
    // The number of the last barrier that the thread has reached. Barriers are numbered through the whole run. The
    // barrier before a round has the round's number, so a thread that reaches it has finished all earlier rounds.
    _Alignas(LINE) _Atomic uint64_t arrived;
    // When the thread reached its last barrier and the one before, in ticks; indexed by the lowest bit of the barrier's
    // number.
    _Atomic uint64_t ticks[2];
} lane_t;

// Decides whether threads that wait in an `await` or for a mutex wait forever (see waiting.c).
typedef struct {
    _Alignas(LINE) atomic_flag lock;
    // quietRound: the round that each thread has finished, or in which it waits; 0 if there is none. epoch: how often a
    // round has become quiet. blockedRound: the last round whose waiting threads wait forever.
    uint64_t epoch, quietRound, blockedRound;
    // By thread: the round in which it waits, or 0; the epoch in which it last found that it must wait.
    uint64_t waiting[CLITMUS_MOST_THREADS], confirmed[CLITMUS_MOST_THREADS];
} judge_t;

// How often each outcome occurred: a hash table with open addressing. width: the number of values in an outcome. count:
// the number of outcomes, each of which has a row. others: how often outcomes occurred that had no room.
typedef struct {
    uint32_t width, count;
    uint64_t others;
    // By slot of the hash table: the number of the outcome's row plus one, or 0.
    uint32_t *index;
    // By row: the outcome's count, its ending, and its `width` values.
    uint64_t *counts;
    int32_t *endings;
    int64_t *values;
} tally_t;

// The data that only one thread uses.
typedef struct {
    _Alignas(LINE) clitmus_run *run;
    uint32_t number;
    uint64_t random;
    // The number of the current round. In that round: the judge's epoch when the thread last asked it; when a long loop
    // was first noticed, or 0; whether the thread is registered with the judge as waiting; and whether it runs
    // `finally` alone.
    uint64_t round, seenEpoch, loopBegin;
    bool isWaiting, isAlone;
    step_t *code, *finally;
    int64_t *registers, *finallyRegisters;
    // In the current batch: the number of rounds that the thread has finished, and of those for whose start it was
    // late.
    uint32_t finished, late;
    tally_t tally;
    pthread_t thread;
} worker_t;

struct clitmus_run {
    const clitmus_program *program;
    clitmus_options options;
    uint32_t instances; // a power of two
    char *memory;
    // By thread and instance: a clitmus_ending.
    uint8_t *endings;
    _Alignas(LINE) _Atomic uint64_t done;
    _Atomic bool isOver, mustStop;
    // Whether the threads are still being created, all exist and may begin, or must end because one could not be
    // created.
    _Atomic enum { CREATING, COMPLETE, ABANDONED } team;
    // The number of times that a thread polls another one before it yields its processor.
    uint32_t spins;
    // The maximum number of rounds in the current batch, which grows at the beginning of a run.
    uint32_t batchLimit;
    // Chosen by the first thread for the current batch. batch: the number of rounds; 0 at the end of the run. stride,
    // offset: the order of the instances (instance_of). By thread, before each round: delays, the greatest number of
    // turns of its delay; touches, whether it reads the instance's memory.
    uint32_t batch, stride, offset, delays[CLITMUS_MOST_THREADS];
    bool touches[CLITMUS_MOST_THREADS];
    // The time between the arrival of the last thread and the start of a round, in ticks.
    uint32_t lead;
    lane_t lanes[CLITMUS_MOST_THREADS];
    judge_t judge;
    worker_t *workers[CLITMUS_MOST_THREADS];
    uint32_t started;
};

static inline void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// The next number of the generator xorshift64, whose state must not be 0.
static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline bool must_stop(const clitmus_run *run) {
    return atomic_load_explicit(&run->mustStop, memory_order_relaxed);
}

// The time on the monotonic clock, in nanoseconds.
uint64_t clitmus_now(void);

// interpreter.c: translates a thread's code; runs one round of it on an instance.
step_t *clitmus_translate(const clitmus_body *body);
clitmus_ending clitmus_interpret(worker_t *worker, const step_t *code, int64_t *registers, char *instance);

// waiting.c
// Waits until all threads have reached the barrier. With `canStop`, returns false if the run must stop before that.
bool clitmus_barrier(worker_t *worker, uint64_t number, bool canStop);
// After the barrier before a round: waits for a common start time, which all threads compute from the same numbers.
void clitmus_await_start(worker_t *worker, uint64_t number);
// Called after an `await` has failed many times. Returns COMPLETED if the condition must be evaluated again.
clitmus_ending clitmus_wait(worker_t *worker);
// Notes that the thread no longer waits.
void clitmus_leave(worker_t *worker);
// Called after many turns of a loop. Returns COMPLETED if the loop may continue.
clitmus_ending clitmus_loop(worker_t *worker);

// tally.c
bool clitmus_tally_init(tally_t *tally, uint32_t width);
void clitmus_tally_free(tally_t *tally);
void clitmus_tally_add(tally_t *tally, clitmus_ending ending, const int64_t *values, uint64_t count);

// threads.c: the body of each thread of a run.
void *clitmus_work(void *worker);
