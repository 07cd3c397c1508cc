// Memory that is lost: when an execution is over, blocks of the heap that it has allocated and not freed, and that nothing points to any more.
//
// As LeakSanitizer does it: every word that lies where the program can still get at it, and that is the address of a byte of a block, is taken
// for a pointer, and what the block holds is looked at in turn. So a block may be missed, if a number looks like its address; one that
// is reported is lost, unless the program hides its pointers. Here less is to be looked at: memory that no execution has written points to no
// block of this one. Without blocks nothing is.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "heap.h"
#include <errno.h>
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_OPEN = 1 << 24, MOST_LIBRARIES = 64 };
// Programs may keep a number in the upper bits of a pointer.
#define ADDRESS ((1ull << 48) - 1)

// Variables of a library, in each thread: how far below its storage they begin.
typedef struct {
    uint64_t distance, size;
} variables_t;

// In a mapping of its own.
static struct leaks {
    // Blocks that were found, and are not looked into yet.
    char *open[MOST_OPEN];
    uint32_t open_count;
    // What a walk has found.
    uint32_t found;
    // More than can be looked at.
    int is_unsure;
    // The thread-local variables of libraries, which may keep blocks of theirs when a thread has ended.
    variables_t libraries[MOST_LIBRARIES];
    int library_count;
    size_t descriptor;
} *leaks;

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

void lab_begin_leaks(void) {
    struct leaks *made = lab_map(sizeof *made, MAP_NORESERVE);
    if (made == MAP_FAILED) return;
    leaks = made;
    dl_iterate_phdr(note_library, NULL);
    const uint32_t *descriptor = lab_find(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    leaks->descriptor = descriptor ? *descriptor : 1 << 10;
}

// MARK: - Walking

// Of blocks that were there before the execution, and of threadlab's, nothing is to be found out.
static int is_of_execution(const char *place) {
    size_t distance = (size_t)(place - heap->base), region = distance / REGION;
    return region != OUTSIDE && distance % REGION >= heap->kept[region];
}

static void visit(uint64_t word) {
    const char *place = (const char *)(word & ADDRESS);
    if (!is_inside(place)) return;
    uint8_t *mark = mark_of(place), own = *mark;
    if ((own != in_use && own != is_lost) || !is_of_execution(place)) return;
    while (mark[-1] == own) mark--;
    char *block = heap->base + (size_t)(mark - heap->marks) * GRAIN;
    memset(mark, is_found, grains(header_of(block)->size));
    leaks->found++;
    if (leaks->open_count == MOST_OPEN) leaks->is_unsure = 1;
    else leaks->open[leaks->open_count++] = block;
}

static void scan(const void *start, size_t size) {
    const uint64_t *words = start;
    uint64_t base = (uint64_t)heap->base;
    for (size_t i = 0; i < size / sizeof *words; i++) {
        // What is no address of the heap, as nearly every word is, should cost little.
        if ((words[i] & ADDRESS) - base < REGION * REGIONS) visit(words[i]);
    }
}

static void scan_between(const void *start, const void *end) {
    if (end > start) scan(start, (size_t)((const char *)end - (const char *)start));
}

// Memory of which much may never have been used, and some not be readable.
static void scan_pages(uint64_t start, uint64_t size) {
    enum { COUNT = 256 };
    unsigned char is_there[COUNT];
    uint64_t words[PAGE / sizeof(uint64_t)];
    for (uint64_t done = 0; done < size; done += (uint64_t)COUNT * PAGE) {
        uint64_t part = size - done < (uint64_t)COUNT * PAGE ? size - done : (uint64_t)COUNT * PAGE;
        if (syscall(SYS_mincore, start + done, part, is_there) != 0) continue;
        for (uint64_t i = 0; i * PAGE < part; i++) {
            if (!(is_there[i] & 1)) continue;
            struct iovec to = {words, PAGE}, from = {(void *)(start + done + i * PAGE), PAGE};
            long got = syscall(SYS_process_vm_readv, (long)getpid(), &to, 1L, &from, 1L, 0L);
            if (got == PAGE) scan(words, PAGE);
            else if (errno != EFAULT) leaks->is_unsure = 1;
        }
    }
}

// What the blocks that were found lead to.
static void walk(void) {
    while (leaks->open_count) {
        char *block = leaks->open[--leaks->open_count];
        uint64_t size = header_of(block)->size, first = ((uint64_t)block + PAGE - 1) & ~(uint64_t)(PAGE - 1);
        if (size < LARGE_BLOCK) {
            scan(block, size);
            continue;
        }
        uint64_t whole = ((uint64_t)block + size - first) & ~(uint64_t)(PAGE - 1);
        scan(block, first - (uint64_t)block);
        scan_pages(first, whole);
        scan_between((char *)first + whole, block + size);
    }
}

// MARK: - Where pointers are

static void scan_thread(const fiber_t *fiber) {
    const char *stack = fiber->last_frame ? (const char *)fiber->last_frame : fiber->stack_pointer, *top = fiber->stack + STACK;
    // It is on another stack, of its program: what is on this one is not known.
    if (stack < fiber->stack || stack > top) leaks->is_unsure = 1;
    else scan_between(stack, top);
    scan((const char *)fiber->storage - lab_state->storage_size, lab_state->storage_size + leaks->descriptor);
    scan(fiber->values, (size_t)lab_state->most_keys * sizeof *fiber->values);
    scan(&fiber->argument, sizeof fiber->argument);
    scan(&fiber->signal_stack.ss_sp, sizeof fiber->signal_stack.ss_sp);
}

// What libraries have kept, and its result if it may still be joined.
static void scan_ended(const fiber_t *fiber) {
    scan((const char *)fiber->storage, leaks->descriptor);
    for (int i = 0; i < leaks->library_count; i++) {
        scan((const char *)fiber->storage - leaks->libraries[i].distance, leaks->libraries[i].size);
    }
    if (!fiber->is_joined && !fiber->is_detached) scan(&fiber->result, sizeof fiber->result);
}

static void scan_all(void) {
    const char *page;
    for (int i = 0; (page = lab_written_page(i)); i++) scan(page, PAGE);
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        const fiber_t *fiber = &lab_state->fibers[thread];
        if (fiber->has_ended) scan_ended(fiber);
        else scan_thread(fiber);
        lab_scan_vector(fiber, scan);
        uint64_t start, size;
        if (lab_mapped(thread, &start, &size)) scan_pages(start, size);
    }
    walk();
}

// MARK: - What is lost

// The first block from there on with this mark, and behind it where to continue. Null: there is none before the end.
static char *next_block(const uint8_t **from, const uint8_t *end, mark_t mark) {
    const uint8_t *at = *from;
    while (at < end && *at != mark) at++;
    *from = at;
    if (at == end) return NULL;
    char *block = heap->base + (size_t)(at - heap->marks) * GRAIN;
    *from = at + grains(header_of(block)->size);
    return block;
}

static const uint8_t *first_mark(int thread) { return mark_of(heap->base + REGION * (size_t)thread + heap->kept[thread]); }
static const uint8_t *end_of_marks(int thread) { return mark_of(heap->base + REGION * (size_t)thread + heap->used[thread]); }

// Of those that others lead to, only the others count. In a circle, the first.
static void separate(void) {
    leaks->found = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        const uint8_t *from = first_mark(thread);
        for (char *block; (block = next_block(&from, end_of_marks(thread), in_use));) {
            memset(mark_of(block), is_found, grains(header_of(block)->size));
            leaks->open[leaks->open_count++] = block;
            walk();
            memset(mark_of(block), is_lost, grains(header_of(block)->size));
        }
    }
}

uint32_t lab_find_lost(compiled_lost_t *found, uint32_t most, uint32_t *others) {
    *others = 0;
    if (!leaks || heap->live <= 0 || lab_has_loaded()) return 0;
    leaks->is_unsure = 0;
    leaks->open_count = 0;
    scan_all();
    if (leaks->is_unsure) return 0;
    separate();
    uint32_t count = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        const uint8_t *from = first_mark(thread);
        for (char *block; (block = next_block(&from, end_of_marks(thread), is_lost)); count++) {
            if (count < most) found[count] = (compiled_lost_t){(uint64_t)block, header_of(block)->size, header_of(block)->site};
        }
    }
    *others = leaks->found;
    return leaks->is_unsure ? 0 : count;
}

#endif
