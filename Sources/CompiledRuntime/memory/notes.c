// Notes what executions have done that prevents a proof (compiled_note_t), and the first calls whose behavior the
// schedule alone does not decide, or whose effect outlasts an execution (compiled_firsts_t).
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <stdio.h>

// The first function that lab_note_call got from a constructor, before the engine was loaded. Empty: none.
static char called_before[COMPILED_NAME_SIZE];

static void make_notes(void) {
    lab_state->program.notes = lab_map_shared(compiled_note_count);
    lab_state->program.firsts = lab_map_shared(sizeof *lab_state->program.firsts);
    snprintf(lab_state->program.firsts->called, COMPILED_NAME_SIZE, "%s", called_before);
}
LAB_PHASE(lab_with_engine, LAB_EARLY + 3, make_notes);

void lab_note(compiled_note_t note) {
    if (!lab_state->learns) lab_state->program.notes[note] = 1;
}

void lab_note_call(const char *name) {
    if (!lab_state && !called_before[0]) snprintf(called_before, sizeof called_before, "%s", name);
    if (!is_controlled()) return;
    // The call may open or close a file.
    lab_look_at_files();
    if (lab_state->learns || lab_state->program.firsts->called[0]) return;
    snprintf(lab_state->program.firsts->called, COMPILED_NAME_SIZE, "%s", name);
}

void lab_note_lasting(const char *name, uint64_t site) {
    if (!lab_runs_program() || lab_state->program.firsts->lasting[0]) return;
    snprintf(lab_state->program.firsts->lasting, COMPILED_NAME_SIZE, "%s", name);
    lab_state->program.firsts->lasting_site = site;
}

#endif
