// The layout of the program's heap, for heap.c, which allocates and frees, and leaks.c, which looks for lost blocks.
#pragma once

#include "process/state.h"

// Blocks consist of grains of 16 bytes. A region is a range of 16 GB of addresses.
#define GRAIN ((size_t)16)
#define REGION ((size_t)1 << 34)
// The size of a part of the heap for which its users are known: 64 granules.
#define STRETCH ((size_t)512)
enum { SEVERAL = 255 };
// There is a region for each thread, and OUTSIDE, for what the runtime or the loader allocates while the engine is
// loaded and no thread of the program runs. Blocks in OUTSIDE outlast an execution.
enum { REGIONS = MOST_THREADS + 1, OUTSIDE = MOST_THREADS };
// Pages of a block of at least this size are returned to the system when it is freed.
#define LARGE_BLOCK ((size_t)1 << 18)

// Precedes each block.
typedef struct {
    uint64_t size;
    // The code that allocated it.
    uint64_t site;
} header_t;

// The state of a grain. unused: in no block. in_use, was_freed: in such a block. has_ended: in the thread-local
// variables of a thread that has ended. While lost blocks are looked for: is_found, in a block to which something
// points; is_lost, in one to which nothing does.
typedef enum { unused, in_use, was_freed, has_ended, is_found, is_lost } mark_t;

// Allocated in a mapping of its own, so that it is not restored with the program's memory.
typedef struct {
    // Where the regions begin.
    char *base;
    // A mark for each grain of all regions.
    uint8_t *marks;
    // For each STRETCH bytes of all regions: 0 if the execution has noted no use there, 1 plus the number of the thread
    // if only that thread has used it, and otherwise SEVERAL. Where no thread uses memory again, it may be too great.
    uint8_t *users;
    // By region, in bytes from its beginning: how much is used, and how much was used before all executions and is
    // kept.
    size_t used[REGIONS], kept[REGIONS];
    // By region: whether the system was asked for huge pages.
    uint8_t are_huge[REGIONS];
    // The number of blocks that the execution has allocated and not freed, except for the buffers of streams, which the
    // C library need not free.
    int64_t live;
    // The address of the C library's function that allocates these buffers.
    uint64_t buffers;
} heap_t;

// Null: the program runs as usual, without the engine, or make_heap has not run yet.
extern HIDDEN heap_t *lab_heap;

// Whether the address is in one of the regions.
static inline int is_inside(const void *address) {
    return lab_heap && (uintptr_t)address - (uintptr_t)lab_heap->base < REGION * REGIONS;
}

// The mark of the grain with this address.
static inline uint8_t *mark_of(const void *block) { return &lab_heap->marks[((uintptr_t)block - (uintptr_t)lab_heap->base) / GRAIN]; }

// The number of grains of a block of this size.
static inline size_t grains(size_t size) { return size ? (size + GRAIN - 1) / GRAIN : 1; }

static inline header_t *header_of(const void *block) { return (header_t *)block - 1; }
