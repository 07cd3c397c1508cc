// Loops in which a thread does nothing but read until another has written: without bound, each round of one is a step more. When a round
// begins as the last one did, the thread waits until something that it has read is written.
//
// What the thread would do in the round follows from its registers, its stack and what it reads. So if the first two are what they were,
// and it has changed nothing else since, the round ends as the last one did, unless what it reads has changed.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"

static inline uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

// A hash of the registers that a called function keeps, and of the stack.
static uint64_t state_of_thread(const fiber_t *fiber, const uint64_t *entry) {
    uint64_t hash = 0;
    const uint64_t *end = (const uint64_t *)(fiber->stack + STACK);
    for (const uint64_t *word = entry; word < end; word++) hash = mix(hash, *word);
    return hash;
}

static int is_known(const rounds_t *rounds, uint64_t site) {
    for (uint32_t i = 0; i < rounds->count; i++) {
        if (rounds->sites[i] == site) return 1;
    }
    return 0;
}

static compiled_watch_t begin_round(rounds_t *rounds, uint64_t site, uint64_t state, uint32_t limit) {
    rounds->watches = 1;
    rounds->site = site;
    rounds->state = state;
    rounds->reads = 0;
    rounds->limit = limit;
    return compiled_watch_first;
}

// Rounds are found as cycles are by Brent's algorithm: the thread is compared with what it was at one read, and after twice as many reads at
// a later one.
compiled_watch_t lab_watch(uint64_t site, const uint64_t *entry) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    rounds_t *rounds = &fiber->rounds;
    if (!entry || !lab_state->program.is_known) {
        lab_disturb();
        return compiled_no_round;
    }
    if (!rounds->watches) {
        if (is_known(rounds, site)) return begin_round(rounds, site, state_of_thread(fiber, entry), rounds->count);
        // Reads in more places are no short loop.
        if (rounds->count == sizeof rounds->sites / sizeof *rounds->sites) rounds->count = 0;
        rounds->sites[rounds->count++] = site;
        return compiled_in_round;
    }
    rounds->reads++;
    int is_late = rounds->reads >= rounds->limit;
    if (site != rounds->site && !is_late) return compiled_watch_further;
    uint64_t state = state_of_thread(fiber, entry);
    if (site == rounds->site && state == rounds->state) {
        rounds->reads = 0;
        return compiled_watch_again;
    }
    return is_late ? begin_round(rounds, site, state, 2 * rounds->limit) : compiled_watch_further;
}

#endif
