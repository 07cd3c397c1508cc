// Prepares the next search after one that has shown that it lacked steps: the missed accesses become steps. What the
// search has noted about stack depths, divisions of granules and rounds that differ is then known, too.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

// Makes steps of the places in the code that were missed. Returns whether there were any.
static int take_places(void) {
    uint8_t *marks = lab_state->program.shared_places;
    int found = 0;
    for (uint64_t place = 0; place < lab_state->program.place_count; place++) {
        if (marks[place] & COMPILED_MISSED && !(marks[place] & COMPILED_STEP)) found = 1;
        if (marks[place]) marks[place] = COMPILED_STEP;
    }
    return found;
}

// Counts as learned how accesses have divided granules. Returns whether any of that is new.
static int take_divisions(void) {
    int found = 0;
    for (uint64_t i = 0; i < lab_state->program.granule_capacity; i++) {
        compiled_granule_t *entry = &lab_state->program.granules[i];
        if (entry->learned == entry->seen) continue;
        entry->learned |= entry->seen;
        found = 1;
    }
    return found;
}

static int take_missed(void) {
    uint8_t *notes = lab_state->program.notes;
    // How accesses divide granules (compiled_granule_t) matters only in these cases, if it was not learned. Otherwise
    // it only makes steps dependent that could be independent.
    int needs_divisions = (notes[compiled_on_many] && notes[compiled_on_unlearned]) || notes[compiled_atomic_in_parts];
    int has_rounds = notes[compiled_rounds_differ];
    if (has_rounds) lab_take_rounds();
    int has_divisions = take_divisions(), has_depths = lab_take_missed_depths(), has_places = take_places();
    // The next search notes these again if they happen in it, too.
    notes[compiled_on_many] = notes[compiled_on_unlearned] = notes[compiled_atomic_in_parts] = notes[compiled_rounds_differ] = 0;
    return has_rounds || has_places || has_depths || (needs_divisions && has_divisions);
}
LAB_OFFER(take_missed, take_missed);

#endif
