// What threads do while they wait: for each other before a round, and for memory in an `await`.
#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <time.h>

// The limit of the wait for a start time: about ten microseconds.
enum { MOST_TURNS = 1000 };

uint64_t clitmus_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// The last barrier that the thread has reached.
static uint64_t arrival(const clitmus_run *run, uint32_t thread) {
    return atomic_load_explicit(&run->lanes[thread].arrived, memory_order_acquire);
}

// The processor's clock, which agrees between processors. On processors without one it is 0, and threads start when
// they see each other.
static inline uint64_t ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return 0;
#endif
}

// Uses no locked instruction, so that it does not drain the store buffer.
bool clitmus_barrier(worker_t *worker, uint64_t number, bool canStop) {
    clitmus_run *run = worker->run;
    uint32_t threads = run->program->threadCount;
    lane_t *lane = &run->lanes[worker->number];
    atomic_store_explicit(&lane->ticks[number & 1], ticks(), memory_order_relaxed);
    atomic_store_explicit(&lane->arrived, number, memory_order_release);
    for (uint32_t other = 0; other < threads; other++) {
        for (uint32_t spins = 0; arrival(run, other) < number; spins++) {
            if (spins < run->spins) {
                pause_briefly();
            } else {
                if (canStop && must_stop(run)) return false;
                sched_yield();
            }
        }
    }
    return true;
}

// A thread sees another one's arrival 50 to 500 ns late, and in that time the other one's store would reach memory. So
// all start together, at a time after the last arrival. No thread can be two barriers ahead, so the arrival times are
// still stored. The turns are limited, because the clocks of a virtual machine may disagree.
void clitmus_await_start(worker_t *worker, uint64_t number) {
    const clitmus_run *run = worker->run;
    uint64_t start = 0;
    for (uint32_t thread = 0; thread < run->program->threadCount; thread++) {
        uint64_t arrived = atomic_load_explicit(&run->lanes[thread].ticks[number & 1], memory_order_relaxed);
        if (arrived > start) start = arrived;
    }
    start += run->lead;
    if (ticks() >= start) worker->late++;
    for (int turns = 0; turns < MOST_TURNS && ticks() < start; turns++) {}
}

// MARK: - Threads that wait forever

static void lock(judge_t *judge) {
    while (atomic_flag_test_and_set_explicit(&judge->lock, memory_order_acquire)) sched_yield();
}

static void unlock(judge_t *judge) { atomic_flag_clear_explicit(&judge->lock, memory_order_release); }

// A round is quiet when each thread has finished it or is registered as waiting. From then on memory does not change,
// unless a registered thread finds its condition true, and leaves. If each of them has evaluated its condition after
// that moment, and found it false, they wait forever.
static bool is_quiet(const clitmus_run *run, uint64_t round) {
    for (uint32_t thread = 0; thread < run->program->threadCount; thread++) {
        if (arrival(run, thread) <= round && run->judge.waiting[thread] != round) return false;
    }
    return true;
}

// Whether each registered thread has found its condition false in the present epoch: since the round became quiet.
static bool have_confirmed(const clitmus_run *run, uint64_t round) {
    for (uint32_t thread = 0; thread < run->program->threadCount; thread++) {
        const judge_t *judge = &run->judge;
        if (judge->waiting[thread] == round && judge->confirmed[thread] != judge->epoch) return false;
    }
    return true;
}

// Registers the thread as waiting. Returns whether all registered threads of its round wait forever. The caller holds
// the judge's lock. Since the last call for the thread, it must have evaluated its condition.
static bool is_blocked(worker_t *worker) {
    clitmus_run *run = worker->run;
    judge_t *judge = &run->judge;
    uint64_t round = worker->round;
    if (judge->blockedRound == round) return true;
    judge->waiting[worker->number] = round;
    // The thread has evaluated its condition after the last call for it, which noted this epoch.
    judge->confirmed[worker->number] = worker->isWaiting ? worker->seenEpoch : 0;
    worker->isWaiting = true;
    if (!is_quiet(run, round)) {
        judge->quietRound = 0;
    } else if (judge->quietRound != round) {
        judge->quietRound = round;
        judge->epoch++;
    } else if (have_confirmed(run, round)) {
        judge->blockedRound = round;
    }
    worker->seenEpoch = judge->epoch;
    return judge->blockedRound == round;
}

clitmus_ending clitmus_wait(worker_t *worker) {
    if (must_stop(worker->run)) return CLITMUS_STOPPED;
    // `finally` runs alone after the threads: nothing can change its condition.
    if (worker->isAlone) return CLITMUS_BLOCKED;
    lock(&worker->run->judge);
    bool isBlocked = is_blocked(worker);
    unlock(&worker->run->judge);
    if (isBlocked) return CLITMUS_BLOCKED;
    sched_yield();
    return CLITMUS_COMPLETED;
}

void clitmus_leave(worker_t *worker) {
    judge_t *judge = &worker->run->judge;
    lock(judge);
    judge->waiting[worker->number] = 0;
    judge->quietRound = 0;
    unlock(judge);
    worker->isWaiting = false;
}

clitmus_ending clitmus_loop(worker_t *worker) {
    if (must_stop(worker->run)) return CLITMUS_STOPPED;
    uint64_t now = clitmus_now();
    if (worker->loopBegin == 0) worker->loopBegin = now;
    if (now - worker->loopBegin > worker->run->options.loopTime) return CLITMUS_UNFINISHED;
    sched_yield();
    return CLITMUS_COMPLETED;
}
