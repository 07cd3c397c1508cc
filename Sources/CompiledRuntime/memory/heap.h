// How the program's heap is made: for heap.c, which allocates and frees, and leaks.c, which looks for what is lost.
#pragma once

#include "process/state.h"

#define GRAIN ((size_t)16)
#define REGION ((size_t)1 << 34)
// Of threads, and of the engine's thread and the loader, whose blocks stay.
enum { REGIONS = MOST_THREADS + 1, OUTSIDE = MOST_THREADS };
// A block of this size is returned to the system when it is freed.
#define LARGE_BLOCK ((size_t)1 << 18)

// Before each block.
typedef struct {
    uint64_t size;
    // The code that allocated it.
    uint64_t site;
} header_t;

// has_ended: of a thread's variables. While it is looked for lost blocks: is_found, something leads to it; is_lost, nothing does.
typedef enum { unused, in_use, was_freed, has_ended, is_found, is_lost } mark_t;

// In a mapping of its own.
typedef struct {
    char *base;
    // A mark for each grain of all regions.
    uint8_t *marks;
    size_t used[REGIONS], kept[REGIONS];
    // The blocks that the execution has allocated and not freed, without buffers of streams, which the C library frees if it wants to.
    int64_t live;
    // Its function that allocates these.
    uint64_t buffers;
} heap_t;

// Null: the program runs as usual.
extern HIDDEN heap_t *lab_heap;

static inline int is_inside(const void *address) {
    return lab_heap && (uintptr_t)address - (uintptr_t)lab_heap->base < REGION * REGIONS;
}

static inline uint8_t *mark_of(const void *block) { return &lab_heap->marks[((uintptr_t)block - (uintptr_t)lab_heap->base) / GRAIN]; }

static inline size_t grains(size_t size) { return size ? (size + GRAIN - 1) / GRAIN : 1; }

static inline header_t *header_of(const void *block) { return (header_t *)block - 1; }
