// The program's memory: pages, heap, mappings, and what threads access. By the file that has them.
#pragma once

#include "process/state.h"

// pages.c
// A mapping of the runtime itself, which is not put back. MAP_FAILED: there is no room.
HIDDEN void *lab_map(size_t size, int flags);
// What is mapped there is the runtime's.
HIDDEN void lab_keep(void *start, size_t size);
HIDDEN void lab_find_regions(void);
HIDDEN void lab_remember_pages(void);
HIDDEN void lab_put_pages_back(void);
// Whether constructors have made memory that the program shares with others.
HIDDEN int lab_has_shared_memory(void);
// One of those that executions have written, from 0 on. Null: there are no more.
HIDDEN char *lab_written_page(int number);
// What a fault at an address is, of which the program may know nothing.
typedef enum { lab_no_first_write, lab_first_write, lab_too_many_pages, lab_too_many_parts } lab_write_t;
// If the page there is one of those that are remembered, and is written for the first time, it can be written from now on.
HIDDEN lab_write_t lab_take_first_write(void *address);
// It cannot, because of a limit: ends the execution. Returns in any other case.
HIDDEN void lab_end_at_pages(lab_write_t why, uint64_t site);
HIDDEN void lab_make_writable(const void *start, size_t size);

// heap.c
HIDDEN void lab_make_heap(void);
HIDDEN void lab_remember_heap(void);
HIDDEN void lab_put_heap_back(void);
HIDDEN int lab_heap_block(uint64_t address, uint64_t *start, uint64_t *size, uint64_t *site);
// Ends the execution if a byte of it was freed.
HIDDEN void lab_check_use(uint64_t address, uint64_t size, uint64_t site);
HIDDEN int lab_is_in_heap(uint64_t address);
// Whether the memory there is of a block that the execution has allocated.
HIDDEN int lab_is_new_in_heap(uint64_t address);
// As many of the bytes as are in the block that the address is in. All: it is in none.
HIDDEN uint64_t lab_rest_of_block(uint64_t address, uint64_t size);
// Whether the thread of these variables, which are in a block, has ended.
HIDDEN void lab_set_ended(const void *variables, size_t size, int is_over);
HIDDEN void *lab_allocate(size_t size, size_t alignment, uint64_t site);
HIDDEN void lab_free(void *block, uint64_t site);
HIDDEN void lab_kept_heap(char **blocks, size_t *block_size, char **marks, size_t *mark_size);

// unmade.c
// Ends the execution: the object is used, and was destroyed or never initialized.
HIDDEN void lab_refuse_unmade(const volatile void *object, uint64_t site);
HIDDEN void lab_make_objects(void *(*map_shared)(size_t));
// The running thread is about to use a lock, a condition or a semaphore of this size.
HIDDEN void lab_note_object(const volatile void *object, uint32_t size, uint64_t site);
// Whether nothing has initialized it. first: the number of its first bytes that an initialization writes.
HIDDEN int lab_is_unmade(const volatile void *object, uint32_t first);
// The block is new, and is not to be zero. A thread begins, whose stack is zero.
HIDDEN void lab_spoil_block(void *block, uint64_t size, uint64_t site);
HIDDEN void lab_spoil_stack(int thread);

// leaks.c
HIDDEN void lab_begin_leaks(void);
// For the engine, when an execution is over: see compiled_program_t.
HIDDEN uint32_t lab_find_lost(compiled_lost_t *found, uint32_t most, uint32_t *others);
// There may be pointers where they are not looked for, so nothing is said of what this execution has lost.
HIDDEN void lab_hide_pointers(void);
// The system has this pointer.
HIDDEN void lab_hide_pointer(uint64_t pointer);
// The execution is over.
HIDDEN void lab_end_hiding(void);

// mappings.c
HIDDEN void lab_make_mappings(void);
HIDDEN void lab_put_mappings_back(void);
// What the thread has mapped, some of which may not be any more.
HIDDEN int lab_mapped(int thread, uint64_t *start, uint64_t *size);

// accesses.c
HIDDEN void lab_make_sites(void);
// The running thread has started a thread, or joined one.
HIDDEN void lab_note_start(int started);
HIDDEN void lab_note_join(int joined);
HIDDEN void lab_begin_learning(void);
HIDDEN int64_t lab_peek(uint64_t address, uint32_t size);
// An atomic operation is on this memory: plain accesses of it are steps, too.
HIDDEN void lab_note_atomic(const volatile void *memory, uint64_t size, int writes);
// It has happened in a search.
HIDDEN void lab_note(compiled_note_t note);
// The program has called it, which does more than is under control.
HIDDEN void lab_note_call(const char *name);
// The same, whose effect is not undone after an execution: if executions differ, this is why.
HIDDEN void lab_note_lasting(const char *name, uint64_t site);
// The running thread is about to read or write memory: a step, if other threads may use it too.
HIDDEN void lab_note_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller);
// As a write of all of the block, if the program's code releases it. If a library's does, that is noted where it matters.
HIDDEN void lab_note_release(const volatile void *block, uint64_t size, uint64_t caller);
// Between the two, what a library releases is released as by the program's code at this place: the library holds no lock meanwhile.
HIDDEN uint64_t lab_begin_release(uint64_t site);
HIDDEN void lab_end_release(uint64_t before);
// Only learns from it. Returns whether accesses at this place in the code are steps.
HIDDEN int lab_learn_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller);
// The same for what is not in the program's memory. text, number: what reports call it.
HIDDEN void lab_note_named_access(
    const volatile void *memory, uint64_t size, int writes, uint64_t caller, const char *text, uint32_t number);

// If there is no such memory, the thread notices here, where it is.
static inline void lab_touch(const volatile void *memory, uint64_t site) {
    lab_state->touching_site = site;
    (void)*(const volatile char *)memory;
    lab_state->touching_site = 0;
}

// atomics.c
// The running thread is about to do an atomic operation: a step, if there are several threads. The runtime does it, in the place of a library.
HIDDEN void lab_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site);
// The program does it, in a function that has this frame. Returns the answer.
HIDDEN int64_t lab_own_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site,
    const void *frame);
#define FRAME __builtin_frame_address(0)

// missed.c
HIDDEN int lab_take_missed(void);

// spins.c
// In a function that the program calls only to read, or to do an atomic operation: it saves all registers that it has to keep at the top of
// its frame, so that from there on the stack is what the program's thread is.
#define ENTER_READ() \
    do { \
        __builtin_unwind_init(); \
        if (lab_runs_program()) lab_state->entry = (const uint64_t *)__builtin_frame_address(0) - 5; \
    } while (0)

static inline const uint64_t *lab_take_entry(void) {
    const uint64_t *entry = lab_state->entry;
    lab_state->entry = NULL;
    return entry;
}

// The running thread is about to ask for that, to read and to do nothing else there. entry: from lab_take_entry.
HIDDEN compiled_watch_t lab_watch(const compiled_request_t *request, const uint64_t *entry);
// The running thread is about to write a variable that may be on the stack of another.
HIDDEN void lab_change_stack(uint64_t address, uint64_t size);
HIDDEN uint64_t lab_hash_of_request(const compiled_request_t *request);
// Whether it is known to do nothing but read, so that to yield would change nothing.
static inline int lab_is_in_rounds(void) { return lab_state->fibers[lab_state->current].rounds.watches; }
// For the engine: a read of the thread is not watched; and a round was not as the one before.
HIDDEN void lab_disturb_thread(uint32_t thread);
HIDDEN void lab_stop_watching(void);
HIDDEN void lab_begin_rounds(void);
// That rounds differ is learned.
HIDDEN void lab_take_rounds(void);
