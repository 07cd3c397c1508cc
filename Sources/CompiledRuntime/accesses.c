// Plain accesses to memory, of which the compiler tells (the interface of ThreadSanitizer). Those that may meet accesses of other threads
// are steps. Which ones they are is learned in executions before a search, by the place in the code.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: - Learning

enum { GRANULE = 8, SITES = 6, TABLE = 1 << 16, MOST_PROBES = 64, MOST_GRANULES = 64 };

// What an execution has done with some bytes of memory.
typedef struct {
    uint64_t granule;
    uint32_t execution;
    uint16_t thread;
    uint8_t has_others, is_written, site_count;
    uint32_t sites[SITES];
} use_t;

// In a mapping of its own.
static struct {
    uint32_t execution;
    use_t uses[TABLE];
} *table;

static int find_code(struct dl_phdr_info *module, size_t size, void *unused) {
    (void)size, (void)unused;
    // The program itself comes first.
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        lab_state->program.code_start = module->dlpi_addr + part->p_vaddr;
        lab_state->program.code_size = part->p_memsz;
        lab_state->program.load_offset = module->dlpi_addr;
    }
    return 1;
}

void lab_make_sites(void) {
    dl_iterate_phdr(find_code, NULL);
    // Shared, so that what one process learns its successors know.
    lab_state->program.shared_sites =
        mmap(NULL, lab_state->program.code_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    table = lab_map(sizeof *table, MAP_NORESERVE);
    if (lab_state->program.shared_sites == MAP_FAILED || table == MAP_FAILED) {
        fprintf(stderr, "threadlab: no memory for the program's accesses\n");
        _exit(3);
    }
}

void lab_begin_learning(void) { table->execution++; }

static use_t *use_of(uint64_t granule) {
    size_t place = (size_t)((granule * 0x9E3779B97F4A7C15u) >> 48) % TABLE;
    for (int probe = 0; probe < MOST_PROBES; probe++) {
        use_t *use = &table->uses[(place + (size_t)probe) % TABLE];
        if (use->execution == table->execution && use->granule != granule) continue;
        if (use->execution != table->execution) {
            *use = (use_t){.granule = granule, .execution = table->execution, .thread = (uint16_t)lab_state->current};
        }
        return use;
    }
    return NULL;
}

// An atomic operation, which is a step wherever it is.
static const uint32_t NO_SITE = UINT32_MAX;

static void mark(uint32_t site) {
    if (site == NO_SITE) return;
    lab_state->program.shared_sites[site] |= lab_state->learns ? COMPILED_STEP : COMPILED_MISSED;
}

static void learn_granule(uint64_t granule, int writes, uint32_t site) {
    use_t *use = use_of(granule);
    // The table is full, or one piece of memory is used from many places: better a step too many.
    if (!use) {
        mark(site);
        return;
    }
    if (use->thread != lab_state->current) use->has_others = 1;
    if (writes) use->is_written = 1;
    if (use->has_others && use->is_written) {
        mark(site);
        for (int i = 0; i < use->site_count; i++) mark(use->sites[i]);
        use->site_count = 0;
        return;
    }
    if (site == NO_SITE) return;
    for (int i = 0; i < use->site_count; i++) {
        if (use->sites[i] == site) return;
    }
    if (use->site_count == SITES) mark(site);
    else use->sites[use->site_count++] = site;
}

static void learn(uint64_t address, uint64_t size, int writes, uint64_t site) {
    uint64_t last = (address + (size ? size - 1 : 0)) / GRANULE;
    uint64_t first = address / GRANULE;
    for (uint64_t granule = first; granule <= last && granule < first + MOST_GRANULES; granule++) {
        learn_granule(granule, writes, (uint32_t)site);
    }
}

void lab_learn_atomic(const volatile void *memory, uint64_t size, int writes) { learn((uint64_t)memory, size, writes, NO_SITE); }

// MARK: - Steps

int64_t lab_peek(uint64_t address, uint32_t size) {
    switch (size) {
    case 1: return *(const int8_t *)address;
    case 2: {
        int16_t value;
        memcpy(&value, (const void *)address, sizeof value);
        return value;
    }
    case 4: {
        int32_t value;
        memcpy(&value, (const void *)address, sizeof value);
        return value;
    }
    default: {
        int64_t value;
        memcpy(&value, (const void *)address, sizeof value);
        return value;
    }
    }
}

void lab_note_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller) {
    if (!is_controlled()) return;
    uint64_t address = (uint64_t)memory;
    lab_check_use(address, caller);
    // Before there is a second thread, and after all have been joined, nothing can come between.
    if (lab_state->unjoined < 2) return;
    uint64_t site = caller - lab_state->program.code_start;
    if (site >= lab_state->program.code_size) return;
    learn(address, size, writes, site);
    if (!(lab_state->program.shared_sites[site] & COMPILED_STEP)) return;
    lab_touch(memory, caller);
    lab_ask((compiled_request_t){
        .kind = writes ? compiled_write : compiled_read, .detail = size > 8 ? 8 : (uint32_t)size, .object = address, .site = caller});
    lab_check_use(address, caller);
}

#define ACCESS(name, size, writes) \
    EXPORTED void __tsan_##name(void *memory) { lab_note_access(memory, size, writes, SITE); }
#define ACCESSES(size) \
    ACCESS(read##size, size, 0) ACCESS(write##size, size, 1) \
    ACCESS(unaligned_read##size, size, 0) ACCESS(unaligned_write##size, size, 1) \
    ACCESS(volatile_read##size, size, 0) ACCESS(volatile_write##size, size, 1) \
    ACCESS(unaligned_volatile_read##size, size, 0) ACCESS(unaligned_volatile_write##size, size, 1) \
    EXPORTED void __tsan_read_write##size(void *memory) { \
        lab_note_access(memory, size, 0, SITE); \
        lab_note_access(memory, size, 1, SITE); \
    } \
    EXPORTED void __tsan_unaligned_read_write##size(void *memory) { \
        lab_note_access(memory, size, 0, SITE); \
        lab_note_access(memory, size, 1, SITE); \
    }

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

EXPORTED void __tsan_read_range(void *memory, unsigned long size) {
    if (size) lab_note_access(memory, size, 0, SITE);
}

EXPORTED void __tsan_write_range(void *memory, unsigned long size) {
    if (size) lab_note_access(memory, size, 1, SITE);
}

EXPORTED void __tsan_vptr_read(void **memory) { lab_note_access(memory, sizeof *memory, 0, SITE); }

EXPORTED void __tsan_vptr_update(void **memory, void *value) {
    if (*memory != value) lab_note_access(memory, sizeof *memory, 1, SITE);
}

EXPORTED void *__tsan_memcpy(void *to, const void *from, size_t size) {
    if (size) lab_note_access(from, size, 0, SITE), lab_note_access(to, size, 1, SITE);
    return memcpy(to, from, size);
}

EXPORTED void *__tsan_memmove(void *to, const void *from, size_t size) {
    if (size) lab_note_access(from, size, 0, SITE), lab_note_access(to, size, 1, SITE);
    return memmove(to, from, size);
}

EXPORTED void *__tsan_memset(void *to, int value, size_t size) {
    if (size) lab_note_access(to, size, 1, SITE);
    return memset(to, value, size);
}

// What the compiler tells besides, and nothing here needs.
EXPORTED void __tsan_init(void) {}
EXPORTED void __tsan_func_entry(void *caller) { (void)caller; }
EXPORTED void __tsan_func_exit(void) {}
EXPORTED void __tsan_ignore_thread_begin(void) {}
EXPORTED void __tsan_ignore_thread_end(void) {}

#endif
