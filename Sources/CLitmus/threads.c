// The threads of a run. They run batches of rounds, each round on a separate instance of the memory, and count outcomes
// between batches.
#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>

// Binds the thread to a processor. Threads share processors, round-robin, only if there are not enough of them.
static void pin(uint32_t thread) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    int count = CPU_COUNT(&allowed);
    if (count <= 0) return;
    int wanted = (int)(thread % (uint32_t)count);
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &allowed) || wanted-- > 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        // Only a hint: where the system refuses it, the run shows fewer outcomes.
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

int clitmus_processors(void) {
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

// The instance of a round, which is counted from 0 in the batch.
static uint32_t instance_of(const clitmus_run *run, uint32_t round) {
    return (round * run->stride + run->offset) & (run->instances - 1);
}

static char *memory_of(const clitmus_run *run, uint32_t instance) {
    return run->memory + (size_t)instance * run->program->instanceBytes;
}

static uint8_t *ending_of(const clitmus_run *run, uint32_t thread, uint32_t instance) {
    return &run->endings[(size_t)thread * run->instances + instance];
}

// MARK: - Between batches

// The limits of a thread's random delay before each round of a batch, in turns of an empty loop. Different delays show
// different outcomes. So does whether an instance is in a thread's cache: after two threads have read it, a load is
// fast and a store is slow.
static const uint32_t delayLimits[] = {0, 0, 0, 16, 64, 256};

// The first value of `lead`, and its limit, in ticks of the processor's clock. On x86-64 a microsecond has some
// thousands of them.
enum { FIRST_LEAD = 64, MOST_LEAD = 10000 };

// The greatest number of rounds: in the first batch, and in any batch.
enum { FIRST_ROUNDS = 32, MOST_ROUNDS = 1024 };

// Adapts `lead` to the processors: as short as possible without many late threads. It doubles if more than half of the
// starts in the last batch were late, and grows by a quarter if more than an eighth were. It shrinks by a sixteenth if
// fewer than a thirty-second were.
static void adapt_lead(clitmus_run *run) {
    uint64_t late = 0, starts = (uint64_t)run->batch * run->program->threadCount;
    for (uint32_t thread = 0; thread < run->program->threadCount; thread++) late += run->workers[thread]->late;
    if (late * 8 > starts) {
        run->lead += late * 2 > starts ? run->lead : run->lead / 4;
        if (run->lead > MOST_LEAD) run->lead = MOST_LEAD;
    } else if (late * 32 < starts) {
        run->lead -= run->lead / 16;
    }
}

// Called by the first thread between batches: decides about the next batch.
static void prepare(worker_t *worker) {
    clitmus_run *run = worker->run;
    uint64_t done = atomic_load_explicit(&run->done, memory_order_relaxed);
    uint64_t left = run->options.rounds - done;
    adapt_lead(run);
    // The first batches are short, so that `lead` adapts soon.
    run->batchLimit = run->batchLimit * 2 < MOST_ROUNDS ? run->batchLimit * 2 : MOST_ROUNDS;
    if (run->batchLimit > run->instances) run->batchLimit = run->instances;
    run->batch = must_stop(run) ? 0 : left < run->batchLimit ? (uint32_t)left : run->batchLimit;
    // The stride is odd, and the number of instances a power of two, so each instance occurs once.
    run->stride = (uint32_t)next_random(&worker->random) | 1;
    run->offset = (uint32_t)next_random(&worker->random);
    for (uint32_t thread = 0; thread < run->program->threadCount; thread++) {
        run->delays[thread] = delayLimits[next_random(&worker->random) % (sizeof delayLimits / sizeof *delayLimits)];
        run->touches[thread] = next_random(&worker->random) % 8 != 0; // in seven of eight batches
    }
}

// Gives the instance its initial values again.
static void reset(const clitmus_run *run, uint32_t instance) {
    char *memory = memory_of(run, instance);
    for (uint32_t number = 0; number < run->program->cellCount; number++) {
        clitmus_cell cell = run->program->cells[number];
        __atomic_store_n((int64_t *)(memory + cell.offset), cell.value, __ATOMIC_RELAXED);
    }
    for (uint32_t thread = 0; thread < run->program->threadCount; thread++) *ending_of(run, thread, instance) = 0;
}

// Runs `finally` on the instance, if all threads have completed the round, and counts the outcome.
static void count(worker_t *worker, uint32_t instance) {
    clitmus_run *run = worker->run;
    const clitmus_program *program = run->program;
    char *memory = memory_of(run, instance);
    uint8_t ending = CLITMUS_COMPLETED;
    for (uint32_t thread = 0; thread < program->threadCount; thread++) {
        uint8_t other = *ending_of(run, thread, instance);
        if (other > ending) ending = other;
    }
    if (ending == CLITMUS_COMPLETED) {
        worker->isAlone = true;
        ending = (uint8_t)clitmus_interpret(worker, worker->finally, worker->finallyRegisters, memory);
        worker->isAlone = false;
    }
    int64_t values[CLITMUS_MOST_OBSERVED] = {0};
    for (uint32_t number = 0; ending == CLITMUS_COMPLETED && number < program->observedCount; number++) {
        values[number] = __atomic_load_n((int64_t *)(memory + program->observed[number]), __ATOMIC_RELAXED);
    }
    if (ending != CLITMUS_STOPPED) clitmus_tally_add(&worker->tally, ending, values, 1);
}

// Counts the thread's share of the batch's rounds, and resets their instances. In a batch that was stopped, only rounds
// that all threads have finished count.
static void count_share(worker_t *worker) {
    clitmus_run *run = worker->run;
    uint32_t threads = run->program->threadCount, finished = run->batch;
    for (uint32_t thread = 0; thread < threads; thread++) {
        if (run->workers[thread]->finished < finished) finished = run->workers[thread]->finished;
    }
    for (uint32_t round = worker->number; round < run->batch; round += threads) {
        uint32_t instance = instance_of(run, round);
        if (round < finished) count(worker, instance);
        reset(run, instance);
    }
    if (worker->number == 0) atomic_fetch_add_explicit(&run->done, finished, memory_order_relaxed);
}

// MARK: - A batch

// In bytes.
enum { MOST_TOUCHED = 32 * LINE };

// Reads an instance, up to MOST_TOUCHED bytes, so that it is in the thread's cache.
static void touch(const char *memory, uint32_t bytes) {
    uint32_t some = bytes < MOST_TOUCHED ? bytes : MOST_TOUCHED;
    for (uint32_t offset = 0; offset < some; offset += LINE) {
        __atomic_load_n((const int64_t *)(memory + offset), __ATOMIC_RELAXED);
    }
}

// Runs the thread's code in all rounds of the batch. first: the number of its first round.
static void run_batch(worker_t *worker, uint64_t first) {
    clitmus_run *run = worker->run;
    uint32_t delayCount = run->delays[worker->number] + 1; // from 0 turns to the limit
    worker->finished = 0;
    worker->late = 0;
    for (uint32_t round = 0; round < run->batch; round++) {
        uint32_t instance = instance_of(run, round);
        worker->round = first + round;
        if (run->touches[worker->number]) touch(memory_of(run, instance), run->program->instanceBytes);
        if (!clitmus_barrier(worker, worker->round, true)) return;
        clitmus_await_start(worker, worker->round);
        for (uint64_t turns = next_random(&worker->random) % delayCount; turns > 0; turns--) __asm__ volatile("");
        clitmus_ending ending = clitmus_interpret(worker, worker->code, worker->registers, memory_of(run, instance));
        if (ending == CLITMUS_STOPPED) return;
        if (ending != CLITMUS_COMPLETED) *ending_of(run, worker->number, instance) = (uint8_t)ending;
        worker->finished = round + 1;
    }
}

void *clitmus_work(void *argument) {
    worker_t *worker = argument;
    clitmus_run *run = worker->run;
    if (run->options.isPinned) pin(worker->number);
    while (atomic_load_explicit(&run->team, memory_order_acquire) == CREATING) sched_yield();
    if (atomic_load_explicit(&run->team, memory_order_relaxed) == ABANDONED) return NULL;
    if (worker->number == 0) {
        run->lead = FIRST_LEAD;
        run->batchLimit = FIRST_ROUNDS / 2; // which `prepare` doubles
    }
    // The number of the last barrier: one before a batch, one before each of its rounds, and two after it.
    uint64_t barrier = 0;
    for (;;) {
        if (worker->number == 0) prepare(worker);
        clitmus_barrier(worker, ++barrier, false);
        if (run->batch == 0) break;
        run_batch(worker, barrier + 1);
        barrier += run->batch;
        clitmus_barrier(worker, ++barrier, false);
        count_share(worker);
        clitmus_barrier(worker, ++barrier, false);
    }
    if (worker->number == 0) atomic_store_explicit(&run->isOver, true, memory_order_release);
    return NULL;
}
