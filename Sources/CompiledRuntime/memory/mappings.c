// Memory that the program maps: it is at the same addresses in each execution, and is unmapped after it, unless the
// program itself chooses an address elsewhere.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>

// The size in bytes of each thread's range of addresses for mappings. Each thread has a range of its own, so addresses
// do not depend on the order of threads. A range takes no memory until the program maps parts of it.
static const uint64_t ROOM = 1ull << 36;

typedef struct {
    // start: where the threads' ranges begin. 0: there are none, and the system chooses addresses. used: how much of
    // its range each thread has used.
    uint64_t start, used[MOST_THREADS];
} mappings_t;
LAB_KEPT(mappings_t, mappings);

static uint64_t whole_pages(uint64_t size) { return (size + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

static void *map_at(uint64_t address, size_t size, int protection, int flags, int file, off_t offset) {
    return REAL(mmap, void *, void *, size_t, int, int, int, off_t)((void *)address, size, protection, flags, file, offset);
}

// Reserves addresses without memory, at any place if `address` is 0. What was mapped there is unmapped.
static void *reserve(uint64_t address, uint64_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address ? MAP_FIXED : 0);
    return map_at(address, size, PROT_NONE, flags, -1, 0);
}

// Without room for the ranges, the system chooses the addresses of mappings.
static void make_mappings(void) {
    void *made = reserve(0, ROOM * MOST_THREADS);
    if (made == MAP_FAILED) return;
    lab_keep(made, ROOM * MOST_THREADS);
    mappings->start = (uint64_t)made;
}
LAB_PHASE(lab_with_engine, LAB_ANY, make_mappings);

static uint64_t room_of(int thread) { return mappings->start + ROOM * (uint64_t)thread; }

// Takes addresses from the running thread's range. No address is used twice in an execution, so code that uses memory
// after it was unmapped causes a fault. Returns 0 if there is no room.
static uint64_t take_room(uint64_t size) {
    uint64_t *used = &mappings->used[lab_state->current];
    if (!mappings->start || !size || size > ROOM - *used) return 0;
    uint64_t address = room_of(lab_state->current) + *used;
    *used += size;
    return address;
}

int lab_mapped(int thread, uint64_t *start, uint64_t *size) {
    *start = room_of(thread);
    *size = mappings->used[thread];
    return *size != 0;
}

// Whether these addresses are in the used part of a thread's range.
static int is_in_room(uint64_t address, uint64_t size) {
    uint64_t distance = address - mappings->start;
    if (!mappings->start || distance >= ROOM * MOST_THREADS) return 0;
    uint64_t used = mappings->used[distance / ROOM], offset = distance % ROOM;
    return offset < used && size <= used - offset;
}

static void put_mappings_back(void) {
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (mappings->used[thread]) reserve(room_of(thread), mappings->used[thread]);
        mappings->used[thread] = 0;
    }
}
LAB_PHASE(lab_after_execution, LAB_ANY, put_mappings_back);

// Notes a write to all of the memory, because it is about to be unmapped or replaced. The engine reads what a step has
// written when the thread makes its next request, so another step follows while the memory still exists.
static void write_all(void *memory, size_t size, compiled_write_t meaning, uint64_t site) {
    lab_note_last_write(memory, size, meaning, site);
    if (lab_state->unjoined > 1) lab_ask((compiled_request_t){.kind = compiled_yield, .site = site});
}

static void *map(void *place, size_t size, int protection, int flags, int file, off_t offset, uint64_t site) {
    // Whether the program determines the address, or that it is low.
    int is_placed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT);
    // The schedule does not decide what a file contains, and what is mapped outside the ranges is not undone.
    if (!(flags & MAP_ANONYMOUS) || (is_placed && !is_in_room((uint64_t)place, size))) lab_note_call("mmap");
    if (flags & MAP_FIXED) write_all(place, size, compiled_stores, site);
    uint64_t address = is_placed ? 0 : take_room(whole_pages(size));
    if (!address && !is_placed && size && mappings->start) {
        lab_end_at_limit("maps more than the 64 GB of addresses of a thread's execution, in which unmapped addresses are not used again", site);
    }
    if (!address) {
        if (!is_in_room((uint64_t)place, size)) lab_hide_pointers();
        return map_at((uint64_t)place, size, protection, flags, file, offset);
    }
    return map_at(address, size, protection, flags | MAP_FIXED, file, offset);
}

EXPORTED void *mmap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
    if (is_controlled()) return map(place, size, protection, flags, file, offset, SITE);
    return map_at((uint64_t)place, size, protection, flags, file, offset);
}

EXPORTED void *mmap64(void *place, size_t size, int protection, int flags, int file, off64_t offset) __attribute__((alias("mmap")));

EXPORTED int munmap(void *memory, size_t size) {
    if (!is_controlled()) return REAL(munmap, int, void *, size_t)(memory, size);
    uint64_t address = (uint64_t)memory;
    if (address % PAGE || !size) {
        errno = EINVAL;
        return -1;
    }
    write_all(memory, size, compiled_unmaps, SITE);
    if (is_in_room(address, whole_pages(size))) return reserve(address, whole_pages(size)) == MAP_FAILED ? -1 : 0;
    // Memory outside the ranges stays: what was mapped before all executions is part of each.
    lab_note_call("munmap");
    return 0;
}

static void *remap_at(uint64_t old, size_t size, size_t new_size, int flags, uint64_t place) {
    return REAL(mremap, void *, void *, size_t, size_t, int, ...)((void *)old, size, new_size, flags, place);
}

// Copies memory that was mapped before all executions, and stays, to the running thread's range.
static void *copy(uint64_t old, size_t size, size_t new_size) {
    uint64_t room = take_room(whole_pages(new_size));
    if (!room) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *made = map_at(room, new_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return made == MAP_FAILED ? made : memcpy(made, (const void *)old, size < new_size ? size : new_size);
}

// A mapping that grows is moved, if the program allows that. Others stay where they are.
static void *remap(uint64_t old, size_t size, size_t new_size, int flags, uint64_t place, uint64_t site) {
    int is_own = size && is_in_room(old, whole_pages(size));
    // A size of 0 asks for a second mapping of the same memory. The other flags say where the mapping has to be, or
    // that the old one stays.
    int is_special = !size || flags & ~MREMAP_MAYMOVE;
    if (!is_own || is_special) lab_note_call("mremap");
    if (is_special) return remap_at(old, size, new_size, flags, place);
    write_all((void *)old, size, compiled_stores, site);
    int is_smaller = whole_pages(new_size) <= whole_pages(size), may_move = flags & MREMAP_MAYMOVE;
    if (!is_own && is_smaller) return (void *)old;
    if (!is_own && may_move) return copy(old, size, new_size);
    uint64_t room = may_move && !is_smaller ? take_room(whole_pages(new_size)) : 0;
    if (!room) {
        void *same = remap_at(old, size, new_size, 0, 0);
        if (same != MAP_FAILED && is_smaller) reserve(old + whole_pages(new_size), whole_pages(size) - whole_pages(new_size));
        return same;
    }
    uint64_t moved = (uint64_t)remap_at(old, size, new_size, MREMAP_MAYMOVE | MREMAP_FIXED, room);
    // The old addresses stay reserved.
    if (moved == room) reserve(old, whole_pages(size));
    return (void *)moved;
}

EXPORTED void *mremap(void *old, size_t size, size_t new_size, int flags, ...) {
    va_list more;
    va_start(more, flags);
    void *place = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
    va_end(more);
    if (is_controlled()) return remap((uint64_t)old, size, new_size, flags, (uint64_t)place, SITE);
    return remap_at((uint64_t)old, size, new_size, flags, (uint64_t)place);
}

// MARK: - Memory of other kinds, which is not restored

EXPORTED void *sbrk(intptr_t size) {
    lab_note_call("sbrk");
    if (lab_runs_program()) lab_hide_pointers();
    return REAL(sbrk, void *, intptr_t)(size);
}

EXPORTED void *shmat(int segment, const void *place, int flags) {
    lab_note_call("shmat");
    if (lab_runs_program()) lab_hide_pointers();
    return REAL(shmat, void *, int, const void *, int)(segment, place, flags);
}

#endif
