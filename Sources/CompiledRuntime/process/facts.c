// Facts about the program that executions have shown, such as "it cancels threads". They are kept for later executions
// and other processes.
//
// Processes share an array with a byte for each byte of code, which says whether an access there is a step
// (shared_places). No access is at the first byte of main or of a function of the runtime, so each fact is stored in
// the array's byte for the first byte of one of these functions. process.h lists the facts with their functions.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <stdio.h>
#include <stdlib.h>

// The byte in which the fact is stored, its mark, or null if the function's file has no bytes in the array.
static uint8_t *mark_of(fact_t fact) {
    uint64_t place = compiled_place(&lab_state->program, (uint64_t)fact);
    return place != COMPILED_NO_PLACE ? &lab_state->program.shared_places[place] : NULL;
}

void lab_set_mark(uint8_t *mark) {
    // Only COMPILED_STEP has an effect. A search sets the other bit, which becomes COMPILED_STEP before the next search
    // (take_missed), so that the steps do not change during a search.
    uint8_t bit = lab_state->learns ? COMPILED_STEP : COMPILED_MISSED;
    if (*mark & bit) return;
    *mark |= bit;
    lab_state->program.knowledge++;
}

void lab_note_fact(fact_t fact) {
    uint8_t *mark = mark_of(fact);
    if (mark) lab_set_mark(mark);
}

void lab_forget_fact(fact_t fact) {
    uint8_t *mark = mark_of(fact);
    if (mark) *mark = 0;
}

int lab_is_known(fact_t fact) {
    const uint8_t *mark = mark_of(fact);
    return mark && (*mark & COMPILED_STEP);
}

void lab_learn_fact(fact_t fact, const char *what, uint64_t site) {
    lab_note_fact(fact);
    static char text[128];
    snprintf(text, sizeof text, "%s, which no execution before the search has done: threadlab cannot follow that", what);
    // Does not return, because the engine ends the execution.
    lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = site});
    abort();
}

void lab_learn_signals(uint64_t site) {
    lab_note_fact(HANDLES_SIGNALS);
    lab_learn_fact(SENDS_SIGNALS, "sends a signal to a thread that handles it", site);
}

#endif
