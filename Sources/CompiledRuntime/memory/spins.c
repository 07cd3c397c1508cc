// Polling loops, in which a thread does nothing but read until another thread has written. Each round of such a loop
// would be more steps, without end. So when a thread begins a round in the same state as the last one, it waits until
// something that it has read in the round is written.
//
// What the thread does in a round follows from its registers, its stack and what it reads. If the registers and the
// stack are the same as before, and the thread has changed nothing else since, the round ends like the last one, unless
// what it reads has changed. Whether anything else has an influence is tested while steps are learned, and before a
// thread is reported to spin without end: the engine lets the thread repeat the round many times.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <sched.h>

// Whether threads may wait in polling loops.
LAB_EACH_EXECUTION(int, watches_rounds);

// Adds a word to a hash.
static inline uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * COMPILED_HASH_FACTOR;
    return hash ^ hash >> 29;
}

// What a word of the stack adds to the hash of its thread's state. The hash is a sum, so that the part of a word can be
// subtracted again.
static inline uint64_t share(const uint64_t *word, uint64_t value) { return mix(mix((uint64_t)word, value), value >> 32); }

uint64_t lab_hash_of_request(const compiled_request_t *request) {
    uint64_t words[] = {request->site, request->object, request->size, request->kind, (uint64_t)request->a, (uint64_t)request->b};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash = mix(hash, words[i]);
    return hash;
}

// A hash of the thread's state: its request, its callee-saved registers, which are saved at `entry`, and the stack
// above them.
static uint64_t state_of_thread(const fiber_t *fiber, const compiled_request_t *request, const uint64_t *entry) {
    uint64_t hash = lab_hash_of_request(request);
    const uint64_t *end = (const uint64_t *)(fiber->stack + STACK);
    for (const uint64_t *word = entry; word < end; word++) hash += share(word, *word);
    return hash;
}

// The hash without the bits of the stack that other threads have written since the round began. The thread reads those
// in steps, and then watches them. So its state does not depend on when they were written.
static uint64_t own_state(const fiber_t *fiber, const compiled_request_t *request, const uint64_t *entry) {
    uint64_t hash = state_of_thread(fiber, request, entry);
    for (uint32_t i = 0; i < fiber->rounds.foreign_count; i++) {
        const foreign_t *foreign = &fiber->rounds.foreign[i];
        hash += share(foreign->word, *foreign->word & ~foreign->bits) - share(foreign->word, *foreign->word);
    }
    return hash;
}

// The entry for this word of the stack, which may be new. Null: there is no room.
static foreign_t *foreign_word(rounds_t *rounds, uint64_t *word) {
    for (uint32_t i = 0; i < rounds->foreign_count; i++) {
        if (rounds->foreign[i].word == word) return &rounds->foreign[i];
    }
    if (rounds->foreign_count == sizeof rounds->foreign / sizeof *rounds->foreign) return NULL;
    rounds->foreign[rounds->foreign_count] = (foreign_t){.word = word};
    return &rounds->foreign[rounds->foreign_count++];
}

void lab_change_stack(uint64_t address, uint64_t size) {
    int owner = lab_owner_of_stack(address);
    if (owner < 0 || !lab_state->fibers[owner].rounds.watches) return;
    rounds_t *rounds = &lab_state->fibers[owner].rounds;
    for (uint64_t byte = address; byte < address + size;) {
        uint64_t *word = (uint64_t *)(byte & ~7ull);
        uint64_t first = byte & 7, past = address + size - (uint64_t)word;
        // The bits of the written bytes in this word.
        uint64_t bits = ~0ull << 8 * first & (past < 8 ? ~(~0ull << 8 * past) : ~0ull);
        byte = (uint64_t)word + 8;
        if (word < rounds->entry) continue;
        foreign_t *foreign = foreign_word(rounds, word);
        if (!foreign) {
            *rounds = (rounds_t){0};
            return;
        }
        // Removes the bits from the hash of the state at the round's beginning, too.
        rounds->state += share(word, *word & ~(foreign->bits | bits)) - share(word, *word & ~foreign->bits);
        foreign->bits |= bits;
    }
}

// Whether a round can be recognized: the thread is on its own stack, and threads may wait in polling loops.
static int can_watch(const fiber_t *fiber, const uint64_t *entry) {
    int is_on_stack = (uint64_t)entry - (uint64_t)fiber->stack < STACK;
    return is_on_stack && *watches_rounds;
}

// Whether the thread has read at this site since it last changed something.
static int is_known(const rounds_t *rounds, uint64_t site) {
    for (uint32_t i = 0; i < rounds->count; i++) {
        if (rounds->sites[i] == site) return 1;
    }
    return 0;
}

// Takes this read as the beginning of a round. limit: after how many reads another read is taken instead.
static compiled_watch_t begin_round(
    fiber_t *fiber, const compiled_request_t *request, const uint64_t *entry, uint32_t limit) {
    rounds_t *rounds = &fiber->rounds;
    rounds->watches = 1;
    rounds->site = request->site;
    rounds->state = state_of_thread(fiber, request, entry);
    rounds->entry = entry;
    rounds->foreign_count = 0;
    rounds->reads = 0;
    rounds->limit = limit;
    return compiled_watch_first;
}

// Finds rounds by Brent's algorithm for cycles: the thread's state is compared with its state at one read and, if that
// does not come again, with its state at a later read, for twice as many reads.
compiled_watch_t lab_watch(const compiled_request_t *request, const uint64_t *entry) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    rounds_t *rounds = &fiber->rounds;
    uint64_t site = request->site;
    if (!can_watch(fiber, entry)) {
        lab_disturb();
        return compiled_no_round;
    }
    if (!rounds->watches) {
        if (is_known(rounds, site)) return begin_round(fiber, request, entry, rounds->count);
        // Reads at more sites are not a short loop: the list begins again.
        if (rounds->count == sizeof rounds->sites / sizeof *rounds->sites) rounds->count = 0;
        rounds->sites[rounds->count++] = site;
        return compiled_in_round;
    }
    rounds->reads++;
    int is_late = rounds->reads >= rounds->limit;
    if (site != rounds->site && !is_late) return compiled_watch_further;
    if (site == rounds->site && entry == rounds->entry && own_state(fiber, request, entry) == rounds->state) {
        rounds->reads = 0;
        return compiled_watch_again;
    }
    return is_late ? begin_round(fiber, request, entry, 2 * rounds->limit) : compiled_watch_further;
}

static void disturb_thread(uint32_t thread) { lab_state->fibers[thread].rounds = (rounds_t){0}; }
LAB_OFFER(disturb, disturb_thread);

// A request that neither reads in a round nor is a pause ends the rounds.
static void begin_step(fiber_t *running, compiled_request_t *request) {
    (void)running;
    if (!request->watch && !lab_is_pause(request)) lab_disturb();
}
LAB_BEFORE_STEP(LAB_FIRST, begin_step);

static void begin_rounds(void) { *watches_rounds = lab_state->program.is_known && !lab_is_known(ROUNDS_DIFFER); }
LAB_PHASE(lab_before_execution, LAB_ANY, begin_rounds);

static void stop_watching(void) {
    if (lab_state->learns) lab_note_fact(ROUNDS_DIFFER);
    else lab_note(compiled_rounds_differ);
}
LAB_OFFER(stop_watching, stop_watching);

void lab_take_rounds(void) {
    int learns = lab_state->learns;
    lab_state->learns = 1;
    lab_note_fact(ROUNDS_DIFFER);
    lab_state->learns = learns;
}

#endif
