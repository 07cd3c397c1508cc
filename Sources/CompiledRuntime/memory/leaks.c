// Lost memory: heap blocks that an execution has allocated and not freed, and to which nothing points when it is over.
//
// As in LeakSanitizer, each word that the program can reach counts as a pointer to a block if it is the address of a
// byte in the block, and then the words in that block are examined, too. So a lost block may be missed because a number
// looks like its address. A block that is reported is lost, unless the program hides its pointers. Memory that no
// execution has written is not examined, because it cannot point to blocks of this execution. If all blocks were freed,
// nothing is examined.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "memory/heap.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// MOST_OPEN: the maximum number of blocks that wait to be examined. If there were more than MANY_OPEN, the memory of
// that list is returned to the system afterwards. MOST_LIBRARIES: the maximum number of libraries with thread-local
// variables.
enum { MOST_OPEN = 1 << 24, MANY_OPEN = 1 << 17, MOST_LIBRARIES = 64 };
// In bytes: less than a thread's descriptor has in any version of the C library.
enum { LEAST_DESCRIPTOR = 1 << 10 };
// The maximum number of pages of mapped memory and large blocks that are examined, so that it takes only milliseconds.
static const uint64_t MOST_PAGES = (64 << 20) / PAGE;
// The bits of a pointer that are an address: programs may keep a number in the upper bits.
#define ADDRESS ((1ull << 48) - 1)

// A library's thread-local variables: how far below each thread pointer they begin.
typedef struct {
    uint64_t distance, size;
} variables_t;

// Allocated in a mapping of its own, so that it is not restored with the program's memory.
static struct leaks {
    // Blocks that were found and still have to be examined. most_open: the greatest value of open_count.
    char *open[MOST_OPEN];
    uint32_t open_count, most_open;
    // found: how many blocks were found; from `separate` on, to how many lost blocks other lost blocks point. pages:
    // how many pages of mapped memory and large blocks were examined.
    uint32_t found;
    uint64_t pages;
    // Whether some memory cannot be examined, so that no block is reported.
    int is_unsure;
    // The thread-local variables of libraries, which may keep blocks even when a thread has ended, and the size of a
    // thread's descriptor.
    variables_t libraries[MOST_LIBRARIES];
    int library_count;
    size_t descriptor;
} *leaks;

// Whether in this execution there may be pointers in memory that is not examined.
LAB_EACH_EXECUTION(int, hides);

// Notes the thread-local variables of a file, unless its code is instrumented, or it was loaded late: then its
// variables are not below the thread pointer.
static int note_library(struct dl_phdr_info *module, size_t size, void *unused) {
    (void)size, (void)unused;
    uint64_t start = (uint64_t)module->dlpi_tls_data, distance = lab_state->host_storage - start;
    if (!start || distance > lab_state->storage_size || leaks->library_count == MOST_LIBRARIES) return 0;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && lab_is_program_code(module->dlpi_addr + part->p_vaddr)) return 0;
    }
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type == PT_TLS) leaks->libraries[leaks->library_count++] = (variables_t){distance, part->p_memsz};
    }
    return 0;
}

static void begin_leaks(void) {
    struct leaks *made = lab_map(sizeof *made, MAP_NORESERVE);
    if (made == MAP_FAILED) return;
    leaks = made;
    dl_iterate_phdr(note_library, NULL);
    const uint32_t *descriptor = lab_find(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    // Without this variable of the C library, only the beginning of a descriptor is examined.
    leaks->descriptor = descriptor ? *descriptor : LEAST_DESCRIPTOR;
}
// After make_fibers and find_files.
LAB_PHASE(lab_with_engine, LAB_ANY, begin_leaks);

void lab_hide_pointers(void) {
    if (hides) *hides = 1;
}

void lab_hide_pointer(uint64_t pointer) {
    if (is_inside((void *)pointer)) lab_hide_pointers();
}

// MARK: - Walking

// Whether the block there was allocated by the program in this execution. Others are not looked for.
static int is_of_execution(const char *place) {
    size_t distance = (size_t)(place - lab_heap->base), region = distance / REGION;
    return region != OUTSIDE && distance % REGION >= lab_heap->kept[region];
}

// Marks a block as found, and adds it to the blocks to examine.
static void open_block(char *block) {
    memset(mark_of(block), is_found, grains(header_of(block)->size));
    if (leaks->open_count == MOST_OPEN) {
        leaks->is_unsure = 1;
        return;
    }
    leaks->open[leaks->open_count++] = block;
    if (leaks->open_count > leaks->most_open) leaks->most_open = leaks->open_count;
}

// Takes the word for a pointer: finds the block to which it points, if it has not been found.
static void visit(uint64_t word) {
    const char *place = (const char *)(word & ADDRESS);
    if (!is_inside(place)) return;
    const uint8_t *mark = mark_of(place), own = *mark;
    if ((own != in_use && own != is_lost) || !is_of_execution(place)) return;
    // To the block's first grain. The grain before it holds the header, and has another mark.
    while (mark[-1] == own) mark--;
    open_block(lab_heap->base + (size_t)(mark - lab_heap->marks) * GRAIN);
    leaks->found++;
}

// Visits all words of this memory.
static void scan(const void *start, size_t size) {
    // Pointers are at multiples of eight.
    uint64_t first = ((uint64_t)start + 7) & ~7ull, end = (uint64_t)start + size, base = (uint64_t)lab_heap->base;
    // Nearly every word is no address of the heap, so this test has to be cheap.
    for (const uint64_t *word = (const uint64_t *)first; (uint64_t)(word + 1) <= end; word++) {
        if ((*word & ADDRESS) - base < REGION * REGIONS) visit(*word);
    }
}

// Visits the words of whole pages, many of which may never have been used, or may be unmapped.
static void scan_pages(uint64_t start, uint64_t size) {
    enum { COUNT = 1024 }; // how many pages mincore is asked about at once
    unsigned char is_there[COUNT];
    for (uint64_t done = 0; done < size; done += (uint64_t)COUNT * PAGE) {
        // The size of this part, and for each of its pages whether it has memory (bit 0).
        uint64_t part = size - done < (uint64_t)COUNT * PAGE ? size - done : (uint64_t)COUNT * PAGE;
        if (syscall(SYS_mincore, start + done, part, is_there) != 0) continue;
        for (uint64_t i = 0; i * PAGE < part; i++) {
            if (!(is_there[i] & 1)) continue;
            if (++leaks->pages > MOST_PAGES) {
                leaks->is_unsure = 1;
                return;
            }
            scan((const void *)(start + done + i * PAGE), PAGE);
        }
    }
}

static void scan_block(const char *block) {
    uint64_t start = (uint64_t)block, size = header_of(block)->size;
    if (size < LARGE_BLOCK) {
        scan(block, size);
        return;
    }
    uint64_t first = (start + PAGE - 1) & ~(uint64_t)(PAGE - 1), last = (start + size) & ~(uint64_t)(PAGE - 1);
    scan(block, first - start);
    scan_pages(first, last - first);
    scan((const void *)last, start + size - last);
}

// Examines the blocks that were found, and those to which their words point.
static void walk(void) {
    while (leaks->open_count && !leaks->is_unsure) scan_block(leaks->open[--leaks->open_count]);
}

// MARK: - Where pointers are

static void scan_stack(int thread) {
    const fiber_t *fiber = &lab_state->fibers[thread];
    uint64_t bottom = (uint64_t)fiber->stack + PAGE, top = (uint64_t)fiber->stack + STACK;
    if (fiber->has_returned) return;
    live_t live;
    if (lab_find_live((uint32_t)thread, &live)) {
        scan((const void *)live.stack, top - live.stack);
    } else {
        // The thread may run on a stack of the program's own, so it is not known how much of this one is in use.
        scan_pages(bottom, top - bottom);
        visit((uint64_t)fiber->stack_pointer);
    }
    scan(live.registers, sizeof live.registers);
}

static void scan_living(int thread) {
    const fiber_t *fiber = &lab_state->fibers[thread];
    scan_stack(thread);
    scan((const char *)fiber->storage - lab_state->storage_size, lab_state->storage_size + leaks->descriptor);
    scan(fiber->values, (size_t)lab_state->most_keys * sizeof *fiber->values);
    scan(&fiber->argument, sizeof fiber->argument);
    scan(&fiber->signal_stack.ss_sp, sizeof fiber->signal_stack.ss_sp);
}

// Visits the words in which libraries may have kept blocks for a thread that has ended.
static void scan_ended(const fiber_t *fiber) {
    scan((const char *)fiber->storage, leaks->descriptor);
    for (int i = 0; i < leaks->library_count; i++) {
        scan((const char *)fiber->storage - leaks->libraries[i].distance, leaks->libraries[i].size);
    }
}

static void scan_all(void) {
    const char *page;
    for (int i = 0; (page = lab_written_page(i)); i++) scan(page, PAGE);
    for (int thread = 0; thread < lab_state->thread_count && !leaks->is_unsure; thread++) {
        const fiber_t *fiber = &lab_state->fibers[thread];
        if (fiber->has_ended) scan_ended(fiber);
        else scan_living(thread);
        if (!fiber->is_joined && !fiber->is_detached) scan(&fiber->result, sizeof fiber->result);
        lab_scan_vector(fiber, scan);
        uint64_t start, size;
        if (lab_mapped(thread, &start, &size)) scan_pages(start, size);
    }
    walk();
}

// MARK: - What is lost

// The first block with this mark from `*from` on, or null if there is none before the end. Moves `*from` behind the
// block.
static char *next_block(const uint8_t **from, const uint8_t *end, mark_t mark) {
    const uint8_t *at = *from;
    while (at < end && *at != mark) at++;
    *from = at;
    if (at == end) return NULL;
    char *block = lab_heap->base + (size_t)(at - lab_heap->marks) * GRAIN;
    *from = at + grains(header_of(block)->size);
    return block;
}

static const uint8_t *first_mark(int thread) { return mark_of(lab_heap->base + REGION * (size_t)thread + lab_heap->kept[thread]); }
static const uint8_t *end_of_marks(int thread) { return mark_of(lab_heap->base + REGION * (size_t)thread + lab_heap->used[thread]); }

// Separates the lost blocks, which scan_all has not found. Marks only the roots as lost: blocks that no other lost
// block points to, and of a cycle its first block. Marks and counts the others as found.
static void separate(void) {
    leaks->found = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        const uint8_t *from = first_mark(thread);
        for (char *block; (block = next_block(&from, end_of_marks(thread), in_use));) {
            open_block(block);
            walk();
            memset(mark_of(block), is_lost, grains(header_of(block)->size));
        }
    }
}

// Finds the lost blocks. If the program has made memory unreadable, a fault ends this, and no block is reported.
static void find(void) {
    void *registers[5];
    if (!__builtin_setjmp(registers)) {
        lab_state->way_out = registers;
        scan_all();
        if (!leaks->is_unsure) separate();
    } else {
        leaks->is_unsure = 1;
    }
    lab_state->way_out = NULL;
}

static uint32_t find_lost(compiled_lost_t *found, uint32_t most, uint32_t *others) {
    *others = 0;
    if (!leaks || lab_heap->live <= 0) return 0;
    leaks->is_unsure = *hides || lab_has_shared_memory() || lab_has_loaded();
    leaks->open_count = leaks->most_open = 0;
    leaks->pages = 0;
    if (!leaks->is_unsure) find();
    if (leaks->most_open > MANY_OPEN) madvise(leaks->open, sizeof leaks->open, MADV_DONTNEED);
    if (leaks->is_unsure) return 0;
    uint32_t count = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        const uint8_t *from = first_mark(thread);
        for (char *block; (block = next_block(&from, end_of_marks(thread), is_lost)); count++) {
            if (count < most) found[count] = (compiled_lost_t){(uint64_t)block, header_of(block)->size, header_of(block)->site};
        }
    }
    *others = leaks->found;
    return count;
}
LAB_OFFER(lost, find_lost);

#endif
