// Restores the program's memory between executions. Once, before all executions, the writable pages are remembered and
// write-protected. The first write to a page is a fault: the page is copied and made writable, and from then on the
// copy is put back after each execution.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The maximum number of regions, of written pages, of the runtime's own mappings, and of their parts that are restored.
enum { MOST_REGIONS = 256, MOST_PAGES = 1 << 18, MOST_OWN = 2 * MOST_REGIONS, MOST_FURTHER = 4 };

// A part of the program's memory that is restored.
typedef struct {
    char *start;
    size_t size;
    // The number of its first page, among the pages of all regions.
    size_t first;
} region_t;

// Allocated in a mapping of its own, so that it is not restored with the program's memory.
static struct pages {
    region_t regions[MOST_REGIONS];
    int region_count;
    int is_remembered;
    // Whether memory that was mapped before all executions is shared with other processes, and so not restored.
    int has_shared;
    // The pages that were written, in the order of their first writes, and their first contents, in the same order.
    char *written[MOST_PAGES];
    char *copies;
    int written_count;
    // A bit for each page of the regions: whether it was written.
    uint64_t *are_written;
    // How many more mappings writable pages may take: a page that becomes writable is a mapping of its own, unless a
    // neighbor is writable.
    long mappings_left;
} *pages;

// Mappings left for the engine, which maps memory, too.
enum { SPARE_MAPPINGS = 4096 };

static _Noreturn void give_up(const char *why) {
    fprintf(stderr, "threadlab: cannot remember the program's memory: %s\n", why);
    _exit(3);
}

// The runtime's own mappings. The system lists neighboring mappings as one, so regions are the parts between these.
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

void *lab_map_shared(size_t size) {
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) lab_give_up("no memory for the program's accesses");
    return made;
}

void *lab_map(size_t size, int flags) {
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (made != MAP_FAILED) lab_keep(made, size);
    return made;
}

static void add_region(char *start, size_t size) {
    if (!size) return;
    if (pages->region_count == MOST_REGIONS) give_up("it has too many parts");
    pages->regions[pages->region_count++] = (region_t){start, size, 0};
}

// Adds the parts of the memory from start to end that are not the runtime's.
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

// How many mappings the system allows a process.
static long most_mappings(void) {
    long count = 65530; // Linux's default
    FILE *limit = fopen("/proc/sys/vm/max_map_count", "r");
    if (!limit) return count;
    char line[32];
    if (fgets(line, sizeof line, limit) && atol(line) > 0) count = atol(line);
    fclose(limit);
    return count;
}

static void find_regions(void) {
    pages = lab_map(sizeof *pages, MAP_NORESERVE);
    if (pages == MAP_FAILED) give_up("no memory");
    pages->mappings_left = most_mappings() - SPARE_MAPPINGS;
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps) give_up("/proc/self/maps cannot be read");
    char line[512];
    while (fgets(line, sizeof line, maps)) {
        pages->mappings_left--;
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
LAB_PHASE(lab_at_start, LAB_LAST, find_regions);

// Whether the page may hold variables of the engine's own thread: the C library and the kernel write them, so the page
// is not protected.
static int is_hosts(const char *page) {
    // Below the thread pointer are thread-local variables. The descriptor above it ends in the next page at the latest.
    enum { PAGES_BELOW = 4 };
    uint64_t storage = lab_state->host_storage & ~(uint64_t)(PAGE - 1);
    return (uint64_t)page + PAGES_BELOW * PAGE >= storage && (uint64_t)page <= storage + PAGE;
}

// The parts of the runtime's own mappings that are restored all the same.
static region_t further[MOST_FURTHER];
static int further_count;

void lab_remember_too(void *start, size_t size) {
    if (further_count == MOST_FURTHER) give_up("it has too many parts");
    further[further_count++] = (region_t){start, size, 0};
}

// Gives up if the runtime has mapped memory inside a region.
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

// Calls the original function, not the stub that programs call (refused.c).
static int protect(void *start, size_t size, int protection) {
    return REAL(mprotect, int, void *, size_t, int)(start, size, protection);
}

static void remember_pages(void) {
    check_regions();
    for (int i = 0; i < further_count; i++) add_region(further[i].start, further[i].size);
    size_t count = 0;
    for (int i = 0; i < pages->region_count; i++) {
        pages->regions[i].first = count;
        count += pages->regions[i].size / PAGE;
    }
    // These mappings take memory only for pages that are written.
    pages->copies = lab_map((size_t)MOST_PAGES * PAGE, MAP_NORESERVE);
    pages->are_written = lab_map(count / 8 + sizeof *pages->are_written, MAP_NORESERVE);
    if (pages->copies == MAP_FAILED || (void *)pages->are_written == MAP_FAILED) give_up("no memory");
    pages->is_remembered = 1;
    for (int i = 0; i < pages->region_count; i++) {
        region_t *region = &pages->regions[i];
        char *end = region->start + region->size;
        for (char *page = region->start; page < end;) {
            char *next = page;
            while (next < end && !is_hosts(next)) next += PAGE;
            if (next > page && protect(page, (size_t)(next - page), PROT_READ) != 0) give_up("the system does not let it be protected");
            page = next + PAGE;
        }
    }
}
LAB_PHASE(lab_before_all, LAB_LAST, remember_pages);

static const region_t *region_of(const char *page) {
    for (int i = 0; i < pages->region_count; i++) {
        const region_t *region = &pages->regions[i];
        if (page >= region->start && page < region->start + region->size) return region;
    }
    return NULL;
}

static int is_written(size_t number) { return pages->are_written[number / 64] >> number % 64 & 1; }

// How many more mappings there are when the page becomes writable: two if it becomes a mapping of its own, which
// divides the one around it. The system joins it with a neighbor that is writable: then none, or two fewer with both
// neighbors.
static int more_mappings(const region_t *region, size_t number) {
    int before = number > region->first && is_written(number - 1);
    int after = number + 1 < region->first + region->size / PAGE && is_written(number + 1);
    return 2 - 2 * (before + after);
}

lab_write_t lab_take_first_write(void *address) {
    if (!pages || !pages->is_remembered) return lab_no_first_write;
    char *page = (char *)((uintptr_t)address & ~(uintptr_t)(PAGE - 1));
    const region_t *region = region_of(page);
    if (!region) return lab_no_first_write;
    size_t number = region->first + (size_t)(page - region->start) / PAGE;
    if (is_written(number)) return lab_no_first_write;
    if (pages->written_count == MOST_PAGES) return lab_too_many_pages;
    int more = more_mappings(region, number);
    if (pages->mappings_left < more || protect(page, PAGE, PROT_READ | PROT_WRITE) != 0) return lab_too_many_parts;
    pages->mappings_left -= more;
    // If the page was never used before, only the copy takes memory.
    REAL(memcpy, void *, void *, const void *, size_t)(pages->copies + (size_t)pages->written_count * PAGE, page, PAGE);
    pages->written[pages->written_count++] = page;
    pages->are_written[number / 64] |= 1ull << number % 64;
    return lab_first_write;
}

void lab_end_at_pages(lab_write_t why, uint64_t site) {
    static const char pages_text[] = "writes more than the 1 GB of its variables that threadlab puts back after an execution";
    static const char parts_text[] =
        "writes its variables in more places, far from each other, than threadlab can put back after an execution: the system allows a "
        "process no more mappings (vm.max_map_count)";
    if (why != lab_too_many_pages && why != lab_too_many_parts) return;
    const char *text = why == lab_too_many_pages ? pages_text : parts_text;
    if (lab_runs_program()) lab_end_at_limit(text, site);
    // The memory of 'stderr' itself may be what cannot be written.
    static const char begin[] = "threadlab: the program ", end[] = "\n";
    const struct iovec line[] = {{(void *)begin, sizeof begin - 1}, {(void *)text, strlen(text)}, {(void *)end, 1}};
    syscall(SYS_writev, STDERR_FILENO, line, sizeof line / sizeof line[0]);
    _exit(3);
}

// The kernel causes no fault when it writes to a protected page: its system call fails.
void lab_make_writable(const void *start, size_t size) {
    if (!size || !pages || !pages->is_remembered) return;
    for (uintptr_t page = (uintptr_t)start & ~(uintptr_t)(PAGE - 1); page < (uintptr_t)start + size; page += PAGE) {
        lab_end_at_pages(lab_take_first_write((void *)page), 0);
    }
}

char *lab_written_page(int number) { return number < pages->written_count ? pages->written[number] : NULL; }

static void put_pages_back(void) {
    for (int i = 0; i < pages->written_count; i++) memcpy(pages->written[i], pages->copies + (size_t)i * PAGE, PAGE);
}
LAB_PHASE(lab_after_execution, LAB_EARLY, put_pages_back);

#endif
