// The program's memory: pages, heap, mappings, and the accesses of threads. The declarations are grouped by the file
// that implements them.
#pragma once

#include "process/state.h"

// pages.c
// Makes a mapping for the runtime itself, which is not restored. Returns MAP_FAILED if there is no room.
HIDDEN void *lab_map(size_t size, int flags);
// Like lab_map, for a mapping that forked processes share. It never fails: without room, the process ends.
HIDDEN void *lab_map_shared(size_t size);
// Says that this mapping is the runtime's, and not part of the program's memory.
HIDDEN void lab_keep(void *start, size_t size);
// Adds a part of the runtime's mappings to the memory that is restored. To be called before that memory is remembered.
HIDDEN void lab_remember_too(void *start, size_t size);
// Whether constructors have mapped memory that the program shares with other processes.
HIDDEN int lab_has_shared_memory(void);
// The page with this number, from 0 on, among those that executions have written. Returns null if there are no more.
HIDDEN char *lab_written_page(int number);
// What a fault is.
typedef enum {
    // Not the first write to a remembered page.
    lab_no_first_write,
    // The first write to a remembered page, which the program must not notice.
    lab_first_write,
    // A first write that exceeds the limit of pages, or the limit of mappings.
    lab_too_many_pages,
    lab_too_many_parts,
} lab_write_t;
// Says what a fault at this address is. After a first write within the limits, the page is writable.
HIDDEN lab_write_t lab_take_first_write(void *address);
// If the fault exceeds a limit, ends the execution, or the process if no thread of the program runs. Otherwise returns.
HIDDEN void lab_end_at_pages(lab_write_t why, uint64_t site);
// To be called before the kernel writes to this memory for the program.
HIDDEN void lab_make_writable(const void *start, size_t size);

// heap.c
// Finds the block that contains the address, and the code that allocated it. Returns false if no block does.
HIDDEN int lab_heap_block(uint64_t address, uint64_t *start, uint64_t *size, uint64_t *site);
// Ends the execution if one of these bytes was freed, is behind a block's end, or belongs to a variable of another
// thread that is gone.
HIDDEN void lab_check_use(uint64_t address, uint64_t size, uint64_t site);
// Notes that the thread has used this memory, if it is in the heap.
HIDDEN void lab_note_user(uint64_t address, int thread);
// Whether this execution has noted no use of the 512 bytes of the heap in which the address is. Whether it has noted
// none but the thread's. Both are false for other memory.
HIDDEN int lab_is_unused(uint64_t address);
HIDDEN int lab_is_only_used_by(uint64_t address, int thread);
HIDDEN int lab_is_in_heap(uint64_t address);
// Whether the address is in memory from which the program's threads cut blocks during an execution.
HIDDEN int lab_is_new_in_heap(uint64_t address);
// How many of these bytes are in the block that contains the address. Returns `size` if no block does.
HIDDEN uint64_t lab_rest_of_block(uint64_t address, uint64_t size);
// Marks thread-local variables as those of a thread that has ended (`is_over`) or that begins, if they are in a heap
// block.
HIDDEN void lab_set_ended(const void *variables, size_t size, int is_over);
HIDDEN void *lab_allocate(size_t size, size_t alignment, uint64_t site);
HIDDEN void lab_free(void *block, uint64_t site);

// unmade.c
// Ends the execution because the object is used and was destroyed or never initialized.
HIDDEN void lab_refuse_unmade(const volatile void *object, uint64_t site);
// To be called when the running thread is about to use a lock, a condition or a semaphore of this size.
HIDDEN void lab_note_object(const volatile void *object, uint32_t size, uint64_t site);
// Whether nothing has initialized the object. first: the number of its first bytes, which every initialization writes.
HIDDEN int lab_is_unmade(const volatile void *object, uint32_t first);
// To be called when a block was allocated that need not be zero, and when a thread begins. Fills with a pattern the
// bytes of the block, or of the thread's stack, that are known to hold locks, conditions or semaphores later.
HIDDEN void lab_spoil_block(void *block, uint64_t size, uint64_t site);
HIDDEN void lab_spoil_stack(int thread);

// leaks.c
// Notes that there may be pointers where the search for lost blocks does not look, so that it says nothing about this
// execution.
HIDDEN void lab_hide_pointers(void);
// Like lab_hide_pointers, if this pointer, which the kernel keeps, points into the heap.
HIDDEN void lab_hide_pointer(uint64_t pointer);

// mappings.c
// Where the thread has mapped memory in this execution; parts of that may be unmapped. Returns false if it has not.
HIDDEN int lab_mapped(int thread, uint64_t *start, uint64_t *size);

// notes.c
// Notes that this has happened in a search.
HIDDEN void lab_note(compiled_note_t note);
// Notes that the program has called this function, whose behavior the schedule alone does not decide.
HIDDEN void lab_note_call(const char *name);
// Notes that the program has called this function, whose effect outlasts an execution. If executions differ, this is
// the reason.
HIDDEN void lab_note_lasting(const char *name, uint64_t site);

// short_spins.c
// To be called when code of the program begins or ends a function: site is an address in the function, and frame is the
// frame of what the function has called.
HIDDEN void lab_enter_function(uint64_t site, const void *frame);
HIDDEN void lab_leave_function(uint64_t site);
// Whether the load is one that needs no step, because the running thread repeats its last step in a loop that is known
// to spin for a short time.
HIDDEN int lab_repeats_load(const compiled_request_t *request);
// To be called when the running thread has loaded in a step.
HIDDEN void lab_note_load(const compiled_request_t *request);
// Whether the running thread's last step is such a load, so that to yield would change nothing.
HIDDEN int lab_spins_shortly(void);

// accesses.c
// To be called when the running thread has started or joined a thread, which orders the accesses of both.
HIDDEN void lab_note_start(int started);
HIDDEN void lab_note_join(int joined);
// The value of `size` bytes of memory. Sizes of 1, 2 and 4 bytes are sign-extended.
HIDDEN int64_t lab_peek(uint64_t address, uint32_t size);
// Notes an atomic operation on this memory, so that plain accesses that conflict with it are steps, too.
HIDDEN void lab_note_atomic(const volatile void *memory, uint64_t size, int writes);
// To be called when the running thread is about to read or write memory. The access is a step if it may conflict with
// accesses of other threads (accesses.c).
HIDDEN void lab_note_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller);
// Like lab_note_access, for a write after which the memory no longer exists.
HIDDEN void lab_note_last_write(const volatile void *memory, uint64_t size, compiled_write_t meaning, uint64_t caller);
// To be called when a block is released. If the program's code releases it, that is a write to all of the block. If the
// code of a library does, and other threads have used the block, nothing is proved.
HIDDEN void lab_note_release(const volatile void *block, uint64_t size, uint64_t caller);
// Makes a step of the release of the memory at the address, which is used or released again.
HIDDEN void lab_learn_late_use(uint64_t address);
// Between these calls, blocks that a library releases count as released by the program's code at this site: the library
// holds no lock meanwhile. lab_begin_release returns the argument of lab_end_release.
HIDDEN uint64_t lab_begin_release(uint64_t site);
HIDDEN void lab_end_release(uint64_t before);
// Learns from an access without taking a step. Returns whether accesses at this place in the code are steps.
HIDDEN int lab_learn_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller);
// Like lab_note_access, for memory that has no name in the program. text, number: what reports call it, such as "stack
// of" and a thread.
HIDDEN void lab_note_named_access(
    const volatile void *memory, uint64_t size, int writes, uint64_t caller, const char *text, uint32_t number);

// atomics.c
// To be called when the running thread is about to do an atomic operation, which is a step if there are several
// threads. The runtime does it, in the place of a library.
HIDDEN void lab_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site);
// Like lab_atomic_step, for an operation that the program itself asks for. frame: of the function of the runtime that
// the program has called. Returns the engine's answer.
HIDDEN int64_t lab_own_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site,
    const void *frame);
#define FRAME __builtin_frame_address(0)

// spins.c
// To be called when the running thread is about to make this request: a read, or an atomic operation that may turn out
// to change nothing. entry: from lab_take_entry. Returns the part that the request plays in a polling loop.
HIDDEN compiled_watch_t lab_watch(const compiled_request_t *request, const uint64_t *entry);
// To be called when the running thread is about to write a variable that may be on another thread's stack.
HIDDEN void lab_change_stack(uint64_t address, uint64_t size);
// A hash of the request's site, kind, object and operands.
HIDDEN uint64_t lab_hash_of_request(const compiled_request_t *request);
// Makes ROUNDS_DIFFER a known fact, as if it had been learned.
HIDDEN void lab_take_rounds(void);
