// The program's memory: pages, heap, mappings, and what threads access. By the file that has them.
#pragma once

#include "process/state.h"

// pages.c
// A mapping of the runtime itself, which is not put back. MAP_FAILED: there is no room.
HIDDEN void *lab_map(size_t size, int flags);
// One that processes share.
HIDDEN void *lab_map_shared(size_t size);
// What is mapped there is the runtime's.
HIDDEN void lab_keep(void *start, size_t size);
// That is put back with the program's memory. Before that is remembered.
HIDDEN void lab_remember_too(void *start, size_t size);
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

// unmade.c
// Ends the execution: the object is used, and was destroyed or never initialized.
HIDDEN void lab_refuse_unmade(const volatile void *object, uint64_t site);
// The running thread is about to use a lock, a condition or a semaphore of this size.
HIDDEN void lab_note_object(const volatile void *object, uint32_t size, uint64_t site);
// Whether nothing has initialized it. first: the number of its first bytes that an initialization writes.
HIDDEN int lab_is_unmade(const volatile void *object, uint32_t first);
// The block is new, and is not to be zero. A thread begins, whose stack is zero.
HIDDEN void lab_spoil_block(void *block, uint64_t size, uint64_t site);
HIDDEN void lab_spoil_stack(int thread);

// leaks.c
// There may be pointers where they are not looked for, so nothing is said of what this execution has lost.
HIDDEN void lab_hide_pointers(void);
// The system has this pointer.
HIDDEN void lab_hide_pointer(uint64_t pointer);

// mappings.c
// What the thread has mapped, some of which may not be any more.
HIDDEN int lab_mapped(int thread, uint64_t *start, uint64_t *size);

// notes.c
// It has happened in a search.
HIDDEN void lab_note(compiled_note_t note);
// The program has called it, which does more than is under control.
HIDDEN void lab_note_call(const char *name);
// The same, whose effect is not undone after an execution: if executions differ, this is why.
HIDDEN void lab_note_lasting(const char *name, uint64_t site);

// accesses.c
// The running thread has started a thread, or joined one.
HIDDEN void lab_note_start(int started);
HIDDEN void lab_note_join(int joined);
HIDDEN int64_t lab_peek(uint64_t address, uint32_t size);
// An atomic operation is on this memory: plain accesses of it are steps, too.
HIDDEN void lab_note_atomic(const volatile void *memory, uint64_t size, int writes);
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

// atomics.c
// The running thread is about to do an atomic operation: a step, if there are several threads. The runtime does it, in the place of a library.
HIDDEN void lab_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site);
// The program does it, in a function that has this frame. Returns the answer.
HIDDEN int64_t lab_own_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site,
    const void *frame);
#define FRAME __builtin_frame_address(0)

// spins.c
// The running thread is about to ask for that, to read and to do nothing else there. entry: from lab_take_entry.
HIDDEN compiled_watch_t lab_watch(const compiled_request_t *request, const uint64_t *entry);
// The running thread is about to write a variable that may be on the stack of another.
HIDDEN void lab_change_stack(uint64_t address, uint64_t size);
HIDDEN uint64_t lab_hash_of_request(const compiled_request_t *request);
// That rounds differ is learned.
HIDDEN void lab_take_rounds(void);
