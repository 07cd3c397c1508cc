// Uses what the runtime's files have registered (phases.h): runs their phases, gives the engine their functions, and
// allocates their variables.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <string.h>

extern HIDDEN const lab_phase_t __start_lab_phases[], __stop_lab_phases[];
extern HIDDEN const lab_offer_t __start_lab_offers[], __stop_lab_offers[];
extern HIDDEN const lab_variables_t __start_lab_variables[], __stop_lab_variables[];

// The maximum number of phases, and of arrays of variables by thread.
enum { MOST_PHASES = 128, MOST_CLEARED = 32 };

// All phases, by moment and rank. first: by moment, the index of its first phase.
static const lab_phase_t *phases[MOST_PHASES];
static int first[lab_moment_count + 1];

// Copies of the phases before steps and before accesses, which run often. A null follows the last.
static before_step_t before_step[MOST_PHASES + 1];
static before_access_t before_access[MOST_PHASES + 1];

static int is_before(const lab_phase_t *one, const lab_phase_t *other) {
    return one->moment != other->moment ? one->moment < other->moment : one->rank < other->rank;
}

void lab_find_phases(void) {
    int count = 0;
    for (const lab_phase_t *phase = __start_lab_phases; phase < __stop_lab_phases; phase++) {
        if (count == MOST_PHASES) lab_give_up("the runtime has too many phases");
        // Moves the phases that run later, and puts this one before them.
        int position = count++;
        for (; position > 0 && is_before(phase, phases[position - 1]); position--) phases[position] = phases[position - 1];
        phases[position] = phase;
    }
    for (int moment = 0, next = 0; moment <= lab_moment_count; moment++) {
        while (next < count && phases[next]->moment < (lab_moment_t)moment) next++;
        first[moment] = next;
    }
    for (int i = first[lab_before_step], next = 0; i < first[lab_before_step + 1]; i++) before_step[next++] = phases[i]->before_step;
    for (int i = first[lab_before_access], next = 0; i < first[lab_before_access + 1]; i++) before_access[next++] = phases[i]->before_access;
}

void lab_run(lab_moment_t moment) {
    for (int i = first[moment]; i < first[moment + 1]; i++) phases[i]->run();
}

void lab_run_before_step(fiber_t *running, compiled_request_t *request) {
    for (before_step_t *each = before_step; *each; each++) (*each)(running, request);
}

void lab_run_before_access(uint64_t site) {
    for (before_access_t *each = before_access; *each; each++) (*each)(site);
}

void lab_make_offers(compiled_program_t *program) {
    for (const lab_offer_t *offer = __start_lab_offers; offer < __stop_lab_offers; offer++) {
        *(void (**)(void))((char *)program + offer->offset) = offer->function;
    }
}

// MARK: - Variables

// Where all variables of an execution are, one behind the other, and how many bytes they take together.
static struct {
    char *start;
    size_t size;
} of_execution;
// Where each array of variables by thread is, and the size of one element.
static struct {
    char *start;
    size_t size;
} of_threads[MOST_CLEARED];
static int of_threads_count;

// The size of a cache line, to which all variables are aligned. Any type can be at such an address.
enum { LINE = 64 };

static size_t room_for(const lab_variables_t *variables) { return (variables->size + LINE - 1) & ~(size_t)(LINE - 1); }

size_t lab_variables_size(void) {
    size_t size = LINE; // to align the first variable
    for (const lab_variables_t *each = __start_lab_variables; each < __stop_lab_variables; each++) size += room_for(each);
    return size;
}

// Places all variables of this lifetime from `memory` on, and makes their pointers point to them. Returns where they
// end.
static char *place_all(char *memory, int lifetime) {
    for (const lab_variables_t *each = __start_lab_variables; each < __stop_lab_variables; each++) {
        if ((int)each->lifetime != lifetime) continue;
        *each->pointer = memory;
        if (lifetime == lab_of_thread) {
            if (of_threads_count == MOST_CLEARED) lab_give_up("the runtime has too many variables of threads");
            of_threads[of_threads_count].start = memory;
            of_threads[of_threads_count++].size = each->size / MOST_THREADS;
        }
        memory += room_for(each);
    }
    return memory;
}

void lab_place_variables(char *memory) {
    of_execution.start = place_all(memory + (-(uintptr_t)memory & (LINE - 1)), lab_kept);
    char *end = place_all(of_execution.start, lab_of_execution);
    of_execution.size = (size_t)(end - of_execution.start);
    place_all(end, lab_of_thread);
}

void lab_clear_variables_of_execution(void) { memset(of_execution.start, 0, of_execution.size); }

void lab_clear_variables_of_thread(int thread) {
    for (int i = 0; i < of_threads_count; i++) {
        memset(of_threads[i].start + (size_t)thread * of_threads[i].size, 0, of_threads[i].size);
    }
}

#endif
