// The program's memory between executions: all writable pages are remembered once, and then cannot be written. The first write to a page
// is noticed, and from then on the page is put back after each execution.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_REGIONS = 256, MOST_PAGES = 1 << 18, MOST_OWN = 2 * MOST_REGIONS };

typedef struct {
    char *start;
    size_t size;
    char *copy;
} region_t;

typedef struct {
    char *page, *copy;
} page_t;

// In a mapping of its own.
static struct pages {
    region_t regions[MOST_REGIONS];
    int region_count;
    int is_remembered;
    // The program has memory, made before all executions, that it shares with others: it is not put back.
    int has_shared;
    page_t written[MOST_PAGES];
    int written_count;
} *pages;

static _Noreturn void give_up(const char *why) {
    fprintf(stderr, "threadlab: cannot remember the program's memory: %s\n", why);
    _exit(3);
}

// The runtime's own mappings. The system shows neighbors as one, so regions are what is left between these.
static struct {
    char *start;
    size_t size;
} own[MOST_OWN];
static int own_count;

void lab_keep(void *start, size_t size) {
    if (own_count == MOST_OWN) give_up("it has too many parts");
    own[own_count].start = start;
    own[own_count++].size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

void *lab_map(size_t size, int flags) {
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (made != MAP_FAILED) lab_keep(made, size);
    return made;
}

static void add_region(char *start, size_t size) {
    if (!size) return;
    if (pages->region_count == MOST_REGIONS) give_up("it has too many parts");
    pages->regions[pages->region_count++] = (region_t){start, size, NULL};
}

// The parts of what is mapped from start to end that are not the runtime's.
static void add_regions(char *start, char *end) {
    for (int i = 0; i < own_count; i++) {
        if (own[i].start >= end || own[i].start + own[i].size <= start) continue;
        if (own[i].start > start) add_regions(start, own[i].start);
        if (own[i].start + own[i].size < end) add_regions(own[i].start + own[i].size, end);
        return;
    }
    add_region(start, (size_t)(end - start));
}

static int is_own(const char *place) {
    for (int i = 0; i < own_count; i++) {
        if (place >= own[i].start && place < own[i].start + own[i].size) return 1;
    }
    return 0;
}

int lab_has_shared_memory(void) { return pages->has_shared; }

void lab_find_regions(void) {
    pages = lab_map(sizeof *pages, MAP_NORESERVE);
    if (pages == MAP_FAILED) give_up("no memory");
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps) give_up("/proc/self/maps cannot be read");
    char line[512];
    while (fgets(line, sizeof line, maps)) {
        // "START-END rw-p …", in hexadecimal digits.
        char *rest;
        unsigned long start = strtoul(line, &rest, 16);
        if (*rest != '-') continue;
        unsigned long end = strtoul(rest + 1, &rest, 16);
        if (*rest != ' ' || rest[2] != 'w') continue;
        if (rest[4] == 's' && !is_own((char *)start)) pages->has_shared = 1;
        if (rest[4] != 'p') continue;
        // The engine runs on this stack.
        if (!strstr(line, "[stack]")) add_regions((char *)start, (char *)end);
    }
    fclose(maps);
}

// The page of the thread that runs the engine: its variables, which the C library and the kernel write.
static int is_hosts(const char *page) {
    uint64_t storage = lab_state->host_storage & ~(uint64_t)(PAGE - 1);
    return (uint64_t)page + 4 * PAGE >= storage && (uint64_t)page <= storage + PAGE;
}

static void check_regions(void) {
    for (int i = 0; i < pages->region_count; i++) {
        region_t *region = &pages->regions[i];
        for (int j = 0; j < own_count; j++) {
            if (own[j].start < region->start + region->size && region->start < own[j].start + own[j].size) {
                give_up("a part of it is threadlab's");
            }
        }
    }
}

void lab_remember_pages(void) {
    check_regions();
    char *heap, *marks;
    size_t heap_size, mark_size;
    lab_kept_heap(&heap, &heap_size, &marks, &mark_size);
    add_region(heap, heap_size);
    add_region(marks, mark_size);
    for (int i = 0; i < pages->region_count; i++) {
        region_t *region = &pages->regions[i];
        region->copy = lab_map(region->size, 0);
        if (region->copy == MAP_FAILED) give_up("no memory");
        memcpy(region->copy, region->start, region->size);
    }
    pages->is_remembered = 1;
    // Not before all is copied: a handler of faults takes it for a write.
    for (int i = 0; i < pages->region_count; i++) {
        region_t *region = &pages->regions[i];
        char *end = region->start + region->size;
        for (char *page = region->start; page < end;) {
            char *next = page;
            while (next < end && !is_hosts(next)) next += PAGE;
            if (next > page) mprotect(page, (size_t)(next - page), PROT_READ);
            page = next + PAGE;
        }
    }
}

int lab_is_first_write(void *address) {
    if (!pages || !pages->is_remembered) return 0;
    char *page = (char *)((uintptr_t)address & ~(uintptr_t)(PAGE - 1));
    for (int i = 0; i < pages->region_count; i++) {
        region_t *region = &pages->regions[i];
        if (page < region->start || page >= region->start + region->size) continue;
        for (int j = 0; j < pages->written_count; j++) {
            if (pages->written[j].page == page) return 0;
        }
        if (pages->written_count == MOST_PAGES || mprotect(page, PAGE, PROT_READ | PROT_WRITE) != 0) return 0;
        pages->written[pages->written_count++] = (page_t){page, region->copy + (page - region->start)};
        return 1;
    }
    return 0;
}

// Before the kernel writes there for the program: it does not ask.
void lab_make_writable(const void *start, size_t size) {
    if (!size || !pages || !pages->is_remembered) return;
    for (uintptr_t page = (uintptr_t)start & ~(uintptr_t)(PAGE - 1); page < (uintptr_t)start + size; page += PAGE) {
        lab_is_first_write((void *)page);
    }
}

char *lab_written_page(int number) { return number < pages->written_count ? pages->written[number].page : NULL; }

void lab_put_pages_back(void) {
    for (int i = 0; i < pages->written_count; i++) memcpy(pages->written[i].page, pages->written[i].copy, PAGE);
}

#endif
