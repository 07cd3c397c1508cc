// The threads' stacks, and variables on them that other threads use. A stack is all zeros when its thread begins, like
// a new stack from the system, so that an uninitialized variable has the same value in each execution.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    // The least and the greatest number of bytes at the top of a stack that are cleared before each use. To clear fewer
    // than LEAST_DEPTH saves no time. Used pages below MOST_DEPTH are returned to the system, which supplies zeros
    // again.
    LEAST_DEPTH = 8 << 10,
    MOST_DEPTH = 64 << 10,
    // A thread may leave a gap, such as an unused part of a large array, and use memory below it. So all pages are
    // examined after each of the first uses of a stack, and then after every 64th.
    FIRST_USES = 16,
    USES_BETWEEN_LOOKS = 64,
};

// Whether threads are known to use variables on the stacks of others.
LAB_EACH_EXECUTION(int, shares_stacks);
// For the next search, like the program's stack_depths: by thread, how deep in its stack a search has seen other
// threads use variables. Shared by processes.
static uint32_t *missed_depths;

// For each stack: how many bytes at its top are cleared before its next use, and how often it was used.
typedef struct {
    size_t depth;
    uint64_t uses;
} use_t;
typedef use_t uses_t[MOST_THREADS];
LAB_KEPT(uses_t, uses);

int lab_make_stacks(void) {
    uint32_t *depths = mmap(NULL, 2 * MOST_THREADS * sizeof *depths, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *stacks = lab_map((size_t)STACK * MOST_THREADS, MAP_NORESERVE);
    lab_state->stacks = stacks;
    lab_state->program.stack_depths = depths;
    missed_depths = depths + MOST_THREADS;
    if (stacks == MAP_FAILED || (void *)depths == MAP_FAILED) return 0;
    // A huge page would take memory as a whole.
    madvise(stacks, (size_t)STACK * MOST_THREADS, MADV_NOHUGEPAGE);
    for (int thread = 0; thread < MOST_THREADS; thread++) {
        lab_state->fibers[thread].stack = stacks + (size_t)thread * STACK;
        (*uses)[thread].depth = LEAST_DEPTH;
        // A guard page below each stack, so that a thread that uses its stack up does not reach the next one.
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

// How much of the stack was used, from its top in bytes, in whole pages: all bytes below are zero. Pages without memory
// are not read, because that would give them memory.
static size_t used_depth(const fiber_t *fiber) {
    // Not a static variable: those are in the program's memory, which may be write-protected, and then the kernel
    // cannot write there.
    unsigned char has_memory[STACK / PAGE];
    if (syscall(SYS_mincore, fiber->stack, STACK, has_memory) != 0) return MOST_DEPTH;
    size_t page = 1; // page 0 is the guard page
    while (page < STACK / PAGE && (!(has_memory[page] & 1) || is_zero(fiber->stack + page * PAGE))) page++;
    return STACK - page * PAGE;
}

// After a use of the stack: if the thread has used more than is cleared, increases what is cleared.
static void note_depth(const fiber_t *fiber, use_t *use) {
    int looks = use->uses < FIRST_USES || use->uses % USES_BETWEEN_LOOKS == 0;
    use->uses++;
    // Without a look, only the page below the bytes that are cleared shows whether the thread has used more.
    if (!looks && is_zero(fiber->stack + STACK - use->depth - PAGE)) return;
    size_t depth = used_depth(fiber);
    if (depth > MOST_DEPTH) {
        madvise(fiber->stack + PAGE, STACK - PAGE - MOST_DEPTH, MADV_DONTNEED);
        depth = MOST_DEPTH;
    }
    if (depth > use->depth) use->depth = depth;
}

void lab_clear_stack(const fiber_t *fiber) {
    use_t *use = &(*uses)[fiber - lab_state->fibers];
    // The functions called here are replaced. Without a running thread, they do not take the calls for the program's.
    int running = lab_state->current;
    lab_state->current = -1;
    note_depth(fiber, use);
    lab_state->current = running;
    memset(fiber->stack + STACK - use->depth, 0, use->depth);
}

int lab_is_out_of_stack(const void *address) {
    const fiber_t *fiber = &lab_state->fibers[lab_state->current];
    return fiber->wants_more_stack && (uint64_t)address - (uint64_t)fiber->stack < PAGE;
}

// MARK: - Variables on the stacks of other threads

static void begin_sharing(void) { *shares_stacks = lab_is_known(SHARES_STACKS); }
LAB_PHASE(lab_before_execution, LAB_ANY, begin_sharing);

int lab_owner_of_stack(uint64_t address) {
    if (!lab_is_on_stack(address) || !lab_runs_program()) return -1;
    int thread = (int)((address - (uint64_t)lab_state->stacks) / STACK);
    return thread < lab_state->thread_count && thread != lab_state->current ? thread : -1;
}

// The main thread's stack does not count: usually it exists until the process ends.
int lab_is_on_others_stack(uint64_t address) { return lab_owner_of_stack(address) > 0; }

// Whether the suspended thread has returned from the function that had a variable at the address.
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
    // Makes the thread's end a step of later executions, so that a search tries both orders.
    if (fiber->has_ended) lab_note_stack(address);
    lab_ask((compiled_request_t){
        .kind = compiled_use_after_free, .detail = !fiber->has_ended, .object = address, .text = "a local variable of", .line = (uint32_t)owner, .site = site});
    abort();
}

// Where the thread's static thread-local variables begin.
static uint64_t variables_of(const fiber_t *fiber) { return fiber->storage - lab_state->storage_size; }

void lab_check_variables(uint64_t address, int has_ended, uint64_t site) {
    if (!lab_runs_program()) return;
    const fiber_t *own = &lab_state->fibers[lab_state->current];
    if (address - variables_of(own) < lab_state->storage_size) return;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (address - variables_of(&lab_state->fibers[thread]) >= lab_state->storage_size) continue;
        lab_note_fact(SHARES_VARIABLES);
        if (!has_ended) return;
        lab_ask((compiled_request_t){
            .kind = compiled_use_after_free, .object = address, .text = "a thread-local variable of", .line = (uint32_t)thread, .site = site});
        abort();
    }
}

static int owner_of(uint64_t address, uint64_t *pointer) {
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        const fiber_t *fiber = &lab_state->fibers[thread];
        if (!fiber->storage || address - variables_of(fiber) >= lab_state->storage_size) continue;
        *pointer = fiber->storage;
        return thread;
    }
    return -1;
}
LAB_OFFER(owner, owner_of);

void lab_note_stack(uint64_t address) {
    int owner = lab_owner_of_stack(address);
    if (owner < 0) return;
    uint32_t depth = (uint32_t)((uint64_t)lab_state->stacks + (uint64_t)(owner + 1) * STACK - address);
    uint32_t *known = &lab_state->program.stack_depths[owner];
    if (depth <= *known && *shares_stacks) return;
    uint32_t *noted = lab_state->learns ? known : &missed_depths[owner];
    if (depth > *noted) *noted = depth, lab_state->program.knowledge++;
    lab_note_fact(lab_state->learns || !*shares_stacks ? SHARES_STACKS : SHARES_MORE_OF_STACKS);
}

int lab_take_missed_depths(void) {
    int grows = 0;
    for (int thread = 0; thread < MOST_THREADS; thread++) {
        uint32_t *known = &lab_state->program.stack_depths[thread], missed = missed_depths[thread];
        if (missed > *known) *known = missed, grows = 1;
    }
    lab_forget_fact(SHARES_MORE_OF_STACKS);
    return grows;
}

// The place of a thread's end, which has no code in the program: the first byte of the thread's function or, if that is
// not the program's code, the second byte of main, whose first byte holds a fact (facts.c).
static uint64_t end_site(const fiber_t *fiber) {
    uint64_t body = (uint64_t)fiber->body;
    return lab_is_program_code(body) ? body : (uint64_t)lab_program_main + 1;
}

// The end of a thread frees its variables. So it counts as a write to all those that other threads use.
static void end_stack(void) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    uint32_t depth = lab_state->program.stack_depths[lab_state->current];
    if (*shares_stacks && depth) {
        lab_note_named_access(fiber->stack + STACK - depth, depth, 1, end_site(fiber), "stack of", (uint32_t)lab_state->current);
    }
    if (lab_is_known(SHARES_VARIABLES)) {
        char *variables = (char *)variables_of(fiber);
        lab_note_named_access(
            variables, lab_state->storage_size, 1, end_site(fiber), "variables of", (uint32_t)lab_state->current);
    }
    lab_set_ended((char *)variables_of(fiber), lab_state->storage_size, 1);
    fiber->has_ended = 1;
}
LAB_PHASE(lab_at_thread_end, LAB_ANY, end_stack);

#endif
