// The threads' stacks. A new one is zero, as the system gives it: a variable that the program does not initialize has the same value in
// each execution, and not what an earlier execution has left there.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    // Clearing less costs nothing that can be measured.
    LEAST_DEPTH = 8 << 10,
    // Below that, the system takes memory back.
    MOST_DEPTH = 64 << 10,
    // It is looked whether more was used below a gap: after each of the first uses, and then after this number.
    FIRST_USES = 16,
    USES_BETWEEN_LOOKS = 64,
};

// The mark that a search leaves if more of the stacks is shared than was learned; that they are at all has another.
#define MORE_IS_SHARED ((void *)pthread_detach)

int lab_make_stacks(void) {
    uint32_t *depths = mmap(NULL, 2 * MOST_THREADS * sizeof *depths, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *stacks = lab_map((size_t)STACK * MOST_THREADS, MAP_NORESERVE);
    lab_state->stacks = stacks;
    lab_state->program.stack_depths = depths;
    lab_state->missed_depths = depths + MOST_THREADS;
    if (stacks == MAP_FAILED || (void *)depths == MAP_FAILED) return 0;
    // A large page would be used as a whole.
    madvise(stacks, (size_t)STACK * MOST_THREADS, MADV_NOHUGEPAGE);
    for (int thread = 0; thread < MOST_THREADS; thread++) {
        lab_state->fibers[thread].stack = stacks + (size_t)thread * STACK;
        lab_state->fibers[thread].depth = LEAST_DEPTH;
        // Below each stack, so that one that is too deep does not run into the next.
        if (REAL(mprotect, int, void *, size_t, int)(lab_state->fibers[thread].stack, PAGE, PROT_NONE) != 0) return 0;
    }
    return 1;
}

static int is_zero(const char *page) {
    const uint64_t *words = (const uint64_t *)page;
    uint64_t all = 0;
    for (size_t i = 0; i < PAGE / sizeof *words; i++) all |= words[i];
    return !all;
}

// The bytes at the stack's top, in whole pages, below which all are zero. To look at pages that were not used would use them.
static size_t used_depth(const fiber_t *fiber) {
    // Not a static variable: that is the program's memory, into which the kernel cannot always write.
    unsigned char has_memory[STACK / PAGE];
    if (syscall(SYS_mincore, fiber->stack, STACK, has_memory) != 0) return MOST_DEPTH;
    size_t page = 1;
    while (page < STACK / PAGE && (!(has_memory[page] & 1) || is_zero(fiber->stack + page * PAGE))) page++;
    return STACK - page * PAGE;
}

static void note_depth(fiber_t *fiber) {
    int looks = fiber->uses < FIRST_USES || fiber->uses % USES_BETWEEN_LOOKS == 0;
    fiber->uses++;
    if (!looks && is_zero(fiber->stack + STACK - fiber->depth - PAGE)) return;
    size_t depth = used_depth(fiber);
    if (depth > MOST_DEPTH) {
        madvise(fiber->stack + PAGE, STACK - PAGE - MOST_DEPTH, MADV_DONTNEED);
        depth = MOST_DEPTH;
    }
    if (depth > fiber->depth) fiber->depth = depth;
}

void lab_clear_stack(fiber_t *fiber) {
    // What is called here is not called by the program.
    int running = lab_state->current;
    lab_state->current = -1;
    note_depth(fiber);
    lab_state->current = running;
    memset(fiber->stack + STACK - fiber->depth, 0, fiber->depth);
}

// MARK: - Variables on the stacks of other threads

int lab_owner_of_stack(uint64_t address) {
    if (!lab_is_on_stack(address) || !lab_runs_program()) return -1;
    int thread = (int)((address - (uint64_t)lab_state->stacks) / STACK);
    return thread < lab_state->thread_count && thread != lab_state->current ? thread : -1;
}

// The main thread's ends with the process, as a rule.
int lab_is_on_others_stack(uint64_t address) { return lab_owner_of_stack(address) > 0; }

// Whether the thread, which is suspended, has left the function whose variable that was.
static int is_gone(int thread, uint64_t address) {
    const fiber_t *fiber = &lab_state->fibers[thread];
    if (fiber->has_returned) return 1;
    uint64_t end = fiber->live_stack ? fiber->live_stack : (uint64_t)fiber->stack_pointer;
    live_t live;
    return address < end && lab_find_live((uint32_t)thread, &live) && address < live.stack;
}

void lab_check_stack(uint64_t address, uint64_t site) {
    int owner = lab_owner_of_stack(address);
    if (owner < 0) return;
    const fiber_t *fiber = &lab_state->fibers[owner];
    if (!fiber->has_ended && !is_gone(owner, address)) return;
    // Then it matters what comes first.
    if (fiber->has_ended) lab_note_stack(address);
    lab_ask((compiled_request_t){
        .kind = compiled_use_after_free, .detail = !fiber->has_ended, .object = address, .text = "a local variable of", .line = (uint32_t)owner, .site = site});
    abort();
}

// The mark that a thread uses another's thread-local variables.
#define VARIABLES_ARE_SHARED ((void *)pthread_self)

static uint64_t variables_of(const fiber_t *fiber) { return fiber->storage - lab_state->storage_size; }

void lab_check_variables(uint64_t address, int has_ended, uint64_t site) {
    if (!lab_runs_program()) return;
    const fiber_t *own = &lab_state->fibers[lab_state->current];
    if (address - variables_of(own) < lab_state->storage_size) return;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (address - variables_of(&lab_state->fibers[thread]) >= lab_state->storage_size) continue;
        lab_mark(VARIABLES_ARE_SHARED);
        if (!has_ended) return;
        lab_ask((compiled_request_t){
            .kind = compiled_use_after_free, .object = address, .text = "a thread-local variable of", .line = (uint32_t)thread, .site = site});
        abort();
    }
}

void lab_note_stack(uint64_t address) {
    int owner = lab_owner_of_stack(address);
    if (owner < 0) return;
    uint32_t depth = (uint32_t)((uint64_t)lab_state->stacks + (uint64_t)(owner + 1) * STACK - address);
    uint32_t *known = &lab_state->program.stack_depths[owner];
    if (depth <= *known && lab_state->shares_stacks) return;
    uint32_t *noted = lab_state->learns ? known : &lab_state->missed_depths[owner];
    if (depth > *noted) *noted = depth, lab_state->program.knowledge++;
    lab_mark(lab_state->learns || !lab_state->shares_stacks ? (void *)pthread_exit : MORE_IS_SHARED);
}

int lab_take_missed_depths(void) {
    int grows = 0;
    for (int thread = 0; thread < MOST_THREADS; thread++) {
        uint32_t *known = &lab_state->program.stack_depths[thread], missed = lab_state->missed_depths[thread];
        if (missed > *known) *known = missed, grows = 1;
    }
    lab_unmark(MORE_IS_SHARED);
    return grows;
}

// Where the thread's function begins, if it is the program's, which reports name.
static uint64_t end_site(const fiber_t *fiber) {
    uint64_t body = (uint64_t)fiber->body;
    return lab_is_program_code(body) ? body : (uint64_t)lab_program_main + 1;
}

void lab_end_stack(void) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    uint32_t depth = lab_state->program.stack_depths[lab_state->current];
    if (lab_state->shares_stacks && depth) {
        lab_note_named_access(fiber->stack + STACK - depth, depth, 1, end_site(fiber), "stack of", (uint32_t)lab_state->current);
    }
    if (lab_is_marked(VARIABLES_ARE_SHARED)) {
        char *variables = (char *)variables_of(fiber);
        lab_note_named_access(
            variables, lab_state->storage_size, 1, end_site(fiber), "variables of", (uint32_t)lab_state->current);
    }
    lab_set_ended((char *)variables_of(fiber), lab_state->storage_size, 1);
    fiber->has_ended = 1;
}

#endif
