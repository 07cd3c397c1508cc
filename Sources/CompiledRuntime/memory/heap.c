// The program's heap: each thread has a region, in which its blocks lie one behind the other. No memory is used twice
// in an execution. So an address depends on what its thread has allocated, and not on the order of threads; the heap is
// restored by clearing the regions; and each noted access to freed memory is recognized.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "memory/heap.h"
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

heap_t *lab_heap;

// A request for more bytes fails as it would without threadlab. A smaller one that fails has exceeded a limit of
// threadlab's, and ends the execution.
static const size_t MOST_SIZE = (size_t)1 << 40;
// The fixed address at which the regions begin.
static const uintptr_t PLACE = 0x100000000000;
// If a thread has used more bytes than this in an execution, the memory is returned to the system, which supplies zeros
// again. Otherwise it is cleared. The same for marks.
static const size_t MOST_CLEARED = 4 << 20;
// From here on, a region consists of huge pages, if the system has them. A thread that allocates much in each execution
// would otherwise spend most of its time on faults of its first writes to pages.
static const size_t HUGE_FROM = 2 << 20;
// The assumed maximum length of the C library's function that allocates buffers of streams, in bytes.
static const uint64_t BUFFERS_SIZE = 1 << 9;

static void make_heap(void) {
    size_t size = REGION * REGIONS;
    heap_t *made = lab_map(sizeof *made, 0);
    char *base = mmap(
        (void *)PLACE, size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    uint8_t *marks = lab_map(size / GRAIN, MAP_NORESERVE);
    uint8_t *users = lab_map(size / STRETCH, MAP_NORESERVE);
    if (made == MAP_FAILED || base == MAP_FAILED || (void *)marks == MAP_FAILED || (void *)users == MAP_FAILED) {
        fprintf(stderr, "threadlab: no room for the program's heap, which reserves %zu GB of addresses, but uses hardly any memory for them\n", size >> 30);
        _exit(3);
    }
    lab_keep(base, size);
    madvise(base, size, MADV_DONTDUMP);
    madvise(marks, size / GRAIN, MADV_DONTDUMP);
    madvise(users, size / STRETCH, MADV_DONTDUMP);
    made->base = base;
    made->marks = marks;
    made->users = users;
    made->buffers = (uint64_t)lab_find(RTLD_DEFAULT, "_IO_file_doallocate");
    lab_heap = made;
}
LAB_PHASE(lab_at_load, LAB_FIRST, make_heap);

// Whether a block that is allocated at this site can be lost memory. The C library's buffers of streams cannot.
static inline int counts(uint64_t site) { return site - lab_heap->buffers >= BUFFERS_SIZE; }

// Reports the allocation or release to the engine if the execution is recorded.
static void show(compiled_kind_t kind, const void *block, uint64_t site) {
    if (is_controlled()) lab_show(kind, (uint64_t)block, site);
}

// The word behind the block's last grain. It holds how many bytes of that grain belong to the block.
static inline uint64_t *end_of(char *block) { return (uint64_t *)(block + grains(header_of(block)->size) * GRAIN); }

static void take_huge_pages(int thread) {
    lab_heap->are_huge[thread] = 1;
    int before = errno;
    // If the system has none, the pages stay as they are.
    madvise(lab_heap->base + REGION * (size_t)thread + HUGE_FROM, REGION - HUGE_FROM, MADV_HUGEPAGE);
    errno = before;
}

// Allocates a block of zeros in the region of the running thread, or in OUTSIDE if no thread runs. Returns null if
// there is no room.
static void *cut(size_t size, size_t alignment, uint64_t site) {
    // Before the engine is loaded, the program's constructors run. What they allocate belongs to the main thread.
    int thread = !lab_state ? 0 : is_controlled() ? lab_state->current : OUTSIDE;
    size_t used = lab_heap->used[thread];
    size_t start = (used + sizeof(header_t) + alignment - 1) & ~(alignment - 1);
    // The block is rounded up to whole grains, and a grain follows it.
    if (size > REGION || start + size + 2 * GRAIN > REGION) {
        if (size <= MOST_SIZE && is_controlled()) {
            lab_end_at_limit("allocates more than the 16 GB of a thread's execution, in which freed memory is not used again", site);
        }
        errno = ENOMEM;
        return NULL;
    }
    char *block = lab_heap->base + REGION * (size_t)thread + start;
    ((header_t *)block)[-1] = (header_t){size, site};
    memset(mark_of(block), in_use, grains(size));
    // The grain behind the block belongs to no block, so that accesses behind a block's end are noticed.
    *end_of(block) = size - (grains(size) - 1) * GRAIN;
    lab_heap->used[thread] = start + (grains(size) + 1) * GRAIN;
    if (lab_heap->used[thread] > HUGE_FROM && !lab_heap->are_huge[thread]) take_huge_pages(thread);
    lab_heap->live += thread != OUTSIDE && counts(site);
    show(compiled_allocated, block, site);
    return block;
}

static void end_with(compiled_kind_t kind, uint64_t address, uint64_t site) {
    lab_ask((compiled_request_t){.kind = kind, .object = address, .site = site});
}

// Frees a block in use, after begin_freeing.
static void free_marked(char *block) {
    size_t size = header_of(block)->size, offset = (size_t)(block - lab_heap->base), region = offset / REGION;
    memset(mark_of(block), was_freed, grains(size));
    // Blocks that exist before all executions are restored page by page (pages.c).
    if (offset % REGION < lab_heap->kept[region]) return;
    lab_heap->live -= region != OUTSIDE && counts(header_of(block)->site);
    if (size < LARGE_BLOCK) return;
    uintptr_t first = ((uintptr_t)block + PAGE - 1) & ~(uintptr_t)(PAGE - 1), end = ((uintptr_t)block + size) & ~(uintptr_t)(PAGE - 1);
    madvise((void *)first, end - first, MADV_DONTNEED);
}

// Whether a block begins at the address: then the grain before it holds the header, and is in no block.
static int is_block(const void *address) {
    return (uintptr_t)address % GRAIN == 0 && *mark_of(address) != unused && *mark_of((const char *)address - GRAIN) == unused;
}

// Begins to free a block: notes a write to all of it. Returns true if the block is in use, so that it can be freed. If
// not, the execution ends, unless no thread of the program is running.
static int begin_freeing(char *block, uint64_t site) {
    int is_of_program = is_controlled();
    if (!is_block(block)) {
        if (is_of_program) end_with(compiled_invalid_free, (uint64_t)block, site);
        return 0;
    }
    if (*mark_of(block) == in_use) {
        size_t size = header_of(block)->size;
        // A write to one byte is noted even if the block has none. That byte must not count as behind the block's end.
        if (!size) *end_of(block) = 1;
        lab_note_release(block, size, site);
    }
    if (*mark_of(block) == was_freed && is_of_program) {
        lab_learn_late_use((uint64_t)block);
        end_with(compiled_double_free, (uint64_t)block, site);
    }
    return *mark_of(block) == in_use;
}

static void release(void *block, uint64_t site) {
    if (!block || !is_inside(block) || !begin_freeing(block, site)) return;
    free_marked(block);
    show(compiled_freed, block, site);
}

// The number of bytes of the grain with this mark that belong to its block.
static inline uint64_t bytes_of(const uint8_t *mark) {
    if (mark[1] != unused) return GRAIN;
    uint64_t bytes = *(const uint64_t *)(lab_heap->base + (size_t)(mark + 1 - lab_heap->marks) * GRAIN);
    // Code that is not instrumented may have overwritten the number.
    return bytes < GRAIN ? bytes : GRAIN;
}

// Whether the byte is behind its block's end, by the size in the block's header. A block of size 0 has one byte while
// it is freed (begin_freeing).
static int is_past(uint64_t address) {
    uint64_t start, size, site;
    return lab_heap_block(address, &start, &size, &site) && address - start >= (size ? size : *end_of((char *)start) != 0);
}

uint64_t lab_rest_of_block(uint64_t address, uint64_t size) {
    if (!is_inside((void *)address) || *mark_of((void *)address) != in_use) return size;
    uint64_t rest = GRAIN - address % GRAIN;
    while (rest < size && *mark_of((void *)(address + rest)) == in_use) rest += GRAIN;
    uint64_t excess = GRAIN - bytes_of(mark_of((void *)(address + rest - 1)));
    rest = rest > excess ? rest - excess : 0;
    return rest < size ? rest : size;
}

int lab_is_in_heap(uint64_t address) { return is_inside((void *)address); }

int lab_is_new_in_heap(uint64_t address) {
    uint64_t offset = address - (uint64_t)lab_heap->base, region = offset / REGION;
    return is_inside((void *)address) && region != OUTSIDE && offset % REGION >= lab_heap->kept[region];
}

// MARK: - Which threads use it

static inline uint8_t *user_of(uint64_t address) { return &lab_heap->users[(address - (uint64_t)lab_heap->base) / STRETCH]; }

static inline uint8_t name_of_user(int thread) { return thread + 1 < SEVERAL ? (uint8_t)(thread + 1) : SEVERAL; }

void lab_note_user(uint64_t address, int thread) {
    if (!is_inside((void *)address)) return;
    uint8_t *user = user_of(address), name = name_of_user(thread);
    if (*user != name) *user = *user ? SEVERAL : name;
}

int lab_is_unused(uint64_t address) { return is_inside((void *)address) && !*user_of(address); }

int lab_is_only_used_by(uint64_t address, int thread) {
    if (!is_inside((void *)address)) return 0;
    uint8_t user = *user_of(address);
    return !user || (user == name_of_user(thread) && user != SEVERAL);
}

void lab_check_use(uint64_t address, uint64_t size, uint64_t site) {
    if (!is_inside((void *)address)) {
        if (lab_is_on_stack(address)) lab_check_stack(address, site);
        return;
    }
    uint64_t end = address + size - 1;
    int is_all_inside = is_inside((void *)end);
    const uint8_t *first = mark_of((void *)address), *last = is_all_inside ? mark_of((void *)end) : first;
    // Thread-local variables are allocated in OUTSIDE, the last region.
    if (address - (uint64_t)lab_heap->base >= REGION * OUTSIDE) lab_check_variables(address, *first == has_ended, site);
    for (const uint8_t *mark = first; mark <= last; mark++) {
        // The grain was freed, or is in no block, such as behind the end of one.
        if (*mark != was_freed && *mark != unused) continue;
        uint64_t used = mark == first ? address : address + (uint64_t)(mark - first) * GRAIN;
        lab_learn_late_use(used);
        end_with(compiled_use_after_free, used, site);
    }
    // The last byte is in a block's last grain, but behind the block's own bytes.
    uint64_t own = bytes_of(last);
    if (is_all_inside && end % GRAIN >= own && is_past(end)) end_with(compiled_use_after_free, end - end % GRAIN + own, site);
}

void lab_set_ended(const void *variables, size_t size, int is_over) {
    if (is_inside(variables)) memset(mark_of(variables), is_over ? has_ended : in_use, grains(size));
}

int lab_heap_block(uint64_t address, uint64_t *start, uint64_t *size, uint64_t *site) {
    char *grain = (char *)(address & ~(uint64_t)(GRAIN - 1)), *block = grain;
    if (!is_inside(grain) || *mark_of(grain) == unused) return 0;
    // The grain before a block's first grain holds the header, and is in no block.
    while (block > lab_heap->base && *mark_of(block - GRAIN) == *mark_of(grain)) block -= GRAIN;
    *start = (uint64_t)block;
    *size = header_of(block)->size;
    *site = header_of(block)->site;
    return 1;
}
LAB_OFFER(block, lab_heap_block);

// MARK: - Between executions

// Keeps what the main thread's region holds now, rounded up so that blocks and marks both take whole pages.
static void remember_heap(void) {
    size_t unit = (size_t)PAGE * GRAIN;
    lab_heap->used[0] = (lab_heap->used[0] + unit - 1) & ~(unit - 1);
    lab_heap->kept[0] = lab_heap->used[0];
    lab_heap->live = 0;
    lab_remember_too(lab_heap->base, lab_heap->kept[0]);
    lab_remember_too(lab_heap->marks, lab_heap->kept[0] / GRAIN);
}
LAB_PHASE(lab_before_all, LAB_ANY, remember_heap);

static void clear(void *memory, size_t size) {
    // Pages that the program has locked in memory are not released.
    if (size <= MOST_CLEARED || madvise(memory, size, MADV_DONTNEED) != 0) memset(memory, 0, size);
}

static void put_heap_back(void) {
    lab_heap->live = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        size_t used = lab_heap->used[thread], size = used - lab_heap->kept[thread];
        memset(user_of((uint64_t)lab_heap->base + REGION * (size_t)thread), 0, used / STRETCH + 1);
        if (!size) continue;
        char *start = lab_heap->base + REGION * (size_t)thread + lab_heap->kept[thread];
        clear(start, size);
        clear(mark_of(start), size / GRAIN + 1);
        lab_heap->used[thread] = lab_heap->kept[thread];
    }
}
LAB_PHASE(lab_after_execution, LAB_ANY, put_heap_back);

// MARK: - What programs call

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// Allocates for functions whose memory need not be zero. It is zero, except for the bytes of locks, conditions and
// semaphores that the program has to initialize, which hold a pattern (unmade.c).
static void *cut_new(size_t size, size_t alignment, uint64_t site) {
    void *block = cut(size, alignment, site);
    if (block && is_controlled()) lab_spoil_block(block, size, site);
    return block;
}

void *lab_allocate(size_t size, size_t alignment, uint64_t site) {
    if (!lab_heap) return alignment > GRAIN ? __libc_memalign(alignment, size) : __libc_malloc(size);
    return cut_new(size, alignment < GRAIN ? GRAIN : alignment, site);
}

EXPORTED void *malloc(size_t size) { return lab_allocate(size, GRAIN, SITE); }

EXPORTED void *calloc(size_t count, size_t size) {
    if (!lab_heap) return __libc_calloc(count, size);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    // New memory is zero, because memory that an earlier execution has used was cleared.
    return cut(bytes, GRAIN, SITE);
}

void lab_free(void *block, uint64_t site) {
    if (block && !is_inside(block)) return __libc_free(block);
    release(block, site);
}

EXPORTED void free(void *block) { lab_free(block, SITE); }

EXPORTED void *realloc(void *block, size_t size) {
    if (block ? !is_inside(block) : !lab_heap) return __libc_realloc(block, size);
    uint64_t site = SITE;
    if (!block) return cut_new(size, GRAIN, site);
    if (!size) {
        release(block, site);
        return NULL;
    }
    // The step of the release comes first, so that what other threads have written until then is copied. If the
    // execution ends at that step, there must be no new block yet: nothing would point to it, so it would count as
    // lost.
    if (!begin_freeing(block, site)) return NULL;
    size_t before = header_of(block)->size;
    void *larger = cut_new(size, GRAIN, site);
    if (!larger) return NULL;
    memcpy(larger, block, before < size ? before : size);
    free_marked(block);
    show(compiled_freed, block, site);
    return larger;
}

EXPORTED int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    lab_note_access(block, sizeof *block, 1, SITE);
    void *made = lab_allocate(size, alignment, SITE);
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

// Rounds an alignment up to a power of two, as glibc does, and at least to GRAIN.
static size_t power_of_two(size_t alignment) {
    size_t power = GRAIN;
    while (power < alignment && power <= SIZE_MAX / 2) power *= 2;
    return power;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size) { return lab_allocate(size, power_of_two(alignment), SITE); }
EXPORTED void *memalign(size_t alignment, size_t size) { return lab_allocate(size, power_of_two(alignment), SITE); }
EXPORTED void *valloc(size_t size) { return lab_allocate(size, PAGE, SITE); }

EXPORTED size_t malloc_usable_size(void *block) {
    if (block && !is_inside(block)) return ((size_t(*)(void *))lab_real_function("malloc_usable_size"))(block);
    return block ? header_of(block)->size : 0;
}

#endif
