// Plain accesses to memory, which instrumented code reports (the interface of ThreadSanitizer). An access is a step if
// it may conflict with accesses of other threads. Executions before a search learn which ones these are: they compare
// the accesses of all threads, and mark the places in the code at which conflicting ones are made.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: - Learning

// SITES: the maximum number of places that an entry remembers. TABLE: the number of entries, in BLOCKS blocks of BLOCK
// neighbors. MOST_PROBES: how many blocks are tried for a granule. MOST_LARGE: the maximum number of large accesses
// that are remembered. MOST_RELEASED: that of releases. GRANULES: the capacity of the table that the engine reads.
enum { SITES = 12, BLOCKS = 1 << 16, BLOCK = 64, TABLE = BLOCKS * BLOCK, MOST_PROBES = 64, MOST_LARGE = 256, MOST_RELEASED = 1024, GRANULES = 1 << 20 };

// How the execution has used a granule, eight bytes of memory (COMPILED_GRANULE).
typedef struct {
    uint64_t granule;
    // The number of the execution. In another execution, the entry is free.
    uint32_t execution;
    // The last use: the number of its thread, and that thread's moment (see `table`).
    uint32_t moment;
    uint16_t thread;
    // is_unordered: whether two uses are in no order. is_written: whether a use is a write. sites: the places of the
    // uses that are not marked as steps.
    uint8_t is_unordered, is_written, site_count;
    uint32_t sites[SITES];
} use_t;

// What a use of memory does. A release is a write to all of a block of the heap.
enum { READS, WRITES, RELEASES };

// A large access: to more granules than COMPILED_MOST_GRANULES, from the first to the last. moment: that of the thread
// at the last such access.
typedef struct {
    uint64_t first, last;
    int thread, writes;
    uint32_t site, moment;
} large_t;

// A release of memory, from the first to the last granule, and its place in the code.
typedef struct {
    uint64_t first, last;
    uint32_t site;
} released_t;

// Allocated in a mapping of its own, so that it is not restored with the program's memory.
static struct {
    uint32_t execution, used_count, large_count, released_count;
    // moments: by thread, one plus the number of threads that it has started. seen[a][b]: what thread b did up to this
    // moment happened before what thread a does now, because a was started after it or has joined b. No schedule
    // changes that order, so accesses that it orders need not be steps.
    uint32_t moments[MOST_THREADS], seen[MOST_THREADS][MOST_THREADS];
    large_t large[MOST_LARGE];
    // The execution's last releases. If the memory is used again, the release must be a step, so that it is shown, and
    // that its order can change.
    released_t released[MOST_RELEASED];
    // The indices of the execution's entries in `uses`.
    uint32_t used[TABLE];
    use_t uses[TABLE];
} *table;

// In shared memory, so that later processes know what one process has learned.
static void make_places(void) {
    lab_state->program.shared_places = lab_map_shared(lab_state->program.place_count);
    lab_state->program.granules = lab_map_shared(GRANULES * sizeof(compiled_granule_t));
    lab_state->program.granule_capacity = GRANULES;
    table = lab_map(sizeof *table, MAP_NORESERVE);
    if (table == MAP_FAILED) lab_give_up("no memory for the program's accesses");
}
// After find_files, which counts the places in the code.
LAB_PHASE(lab_with_engine, LAB_EARLY + 3, make_places);

static void begin_learning(void) {
    memset(table->seen[0], 0, (size_t)lab_state->thread_count * sizeof *table->seen[0]);
    table->moments[0] = 1;
    table->execution++;
    table->used_count = table->large_count = table->released_count = 0;
}
// First, while thread_count is still that of the previous execution.
LAB_PHASE(lab_before_execution, LAB_FIRST, begin_learning);

// The value of `site` for an atomic operation, which is a step without a mark.
static const uint32_t NO_SITE = UINT32_MAX;

// Marks the place in the code as a step.
static void mark(uint32_t site) {
    if (site != NO_SITE) lab_set_mark(&lab_state->program.shared_places[site]);
}

void lab_note_start(int started) {
    int starter = lab_state->current;
    for (int thread = 0; thread < started; thread++) {
        table->seen[thread][started] = 0;
        table->seen[started][thread] = table->seen[starter][thread];
    }
    table->seen[started][starter] = table->moments[starter]++;
    table->moments[started] = 1;
}

void lab_note_join(int joined) {
    uint32_t *seen = table->seen[lab_state->current];
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (table->seen[joined][thread] > seen[thread]) seen[thread] = table->seen[joined][thread];
    }
    seen[joined] = table->moments[joined];
}

// The value of `moment` for a large access that add_use gets after a later use. The order of the two is not known then:
// if their threads differ, they count as unordered.
static const uint32_t NO_MOMENT = UINT32_MAX;

// Whether the granule's last use happened before what the thread does now, in every schedule.
static int is_seen(const use_t *use, int thread) {
    return use->thread == thread || table->seen[thread][use->thread] >= use->moment;
}

// Adds a use to the granule's entry, and marks places if a use is a write and two are in no order.
static void add_use(use_t *use, int thread, uint32_t moment, int writes, uint32_t site) {
    if (use->thread != thread) lab_note_user(use->granule * COMPILED_GRANULE, thread);
    if (use->thread == thread || (moment != NO_MOMENT && is_seen(use, thread))) {
        // The remembered use happened before this one. What happens after this one then also happens after the
        // remembered use, so it is enough to remember this one.
        use->thread = (uint16_t)thread;
        use->moment = moment;
    } else {
        use->is_unordered = 1;
    }
    if (writes) use->is_written = 1;
    if (use->is_unordered && use->is_written) {
        mark(site);
        for (int i = 0; i < use->site_count; i++) mark(use->sites[i]);
        use->site_count = 0;
        return;
    }
    if (site == NO_SITE) return;
    for (int i = 0; i < use->site_count; i++) {
        if (use->sites[i] == site) return;
    }
    // If the entry has no room, the place becomes a step: a step too many does no harm.
    if (use->site_count == SITES) mark(site);
    else use->sites[use->site_count++] = site;
}

static int is_of_execution(const use_t *use) { return use->execution == table->execution; }

// The granule's entry, or the free one where it belongs, or null if there is no room for it.
static use_t *entry_of(uint64_t granule) {
    // Neighbors are in one block, so that a program that fills megabytes touches few pages of the table.
    size_t block = (size_t)((granule / BLOCK * COMPILED_HASH_FACTOR) >> 32);
    for (size_t probe = 0; probe < MOST_PROBES; probe++) {
        use_t *use = &table->uses[(block + probe) % BLOCKS * BLOCK + granule % BLOCK];
        if (!is_of_execution(use) || use->granule == granule) return use;
    }
    return NULL;
}

// The granule's entry, which is new if the execution has not used the granule, or null if there is no room for it.
static use_t *use_of(uint64_t granule) {
    use_t *use = entry_of(granule);
    if (!use || is_of_execution(use)) return use;
    use->granule = granule;
    use->execution = table->execution;
    use->thread = (uint16_t)lab_state->current;
    use->moment = table->moments[lab_state->current];
    use->is_unordered = use->is_written = use->site_count = 0;
    table->used[table->used_count++] = (uint32_t)(use - table->uses);
    lab_note_user(granule * COMPILED_GRANULE, lab_state->current);
    for (uint32_t i = 0; i < table->large_count; i++) {
        const large_t *large = &table->large[i];
        if (large->first <= granule && granule <= large->last) {
            add_use(use, large->thread, NO_MOMENT, large->writes, large->site);
        }
    }
    return use;
}

// The execution's next entry for one of these granules, or null if there are no more. `*position`, which has to be 0
// for the first, says where the search continues. Looks at the granules or at all entries of the execution, whichever
// are fewer.
static use_t *next_use(uint64_t first, uint64_t last, uint64_t *position) {
    uint64_t count = last - first + 1;
    int is_by_granule = count < table->used_count;
    while (*position < (is_by_granule ? count : table->used_count)) {
        uint64_t number = (*position)++, granule = first + number;
        if (is_by_granule && lab_is_unused(granule * COMPILED_GRANULE)) {
            // No granule of the block has an entry.
            *position = (granule / BLOCK + 1) * BLOCK - first;
            continue;
        }
        use_t *use = is_by_granule ? entry_of(granule) : &table->uses[table->used[number]];
        if (use && is_of_execution(use) && first <= use->granule && use->granule <= last) return use;
    }
    return NULL;
}

static void learn_granule(uint64_t granule, int writes, uint32_t site) {
    use_t *use = use_of(granule);
    if (use) return add_use(use, lab_state->current, table->moments[lab_state->current], writes, site);
    // The table is full.
    mark(site);
    lab_note(compiled_overflow);
}

// Whether the accesses differ at most in their moments.
static int are_same(const large_t *a, const large_t *b) {
    return a->first == b->first && a->last == b->last && a->thread == b->thread && a->writes == b->writes && a->site == b->site;
}

// Compares the large access with all others of the execution, and remembers it.
static void learn_large(large_t large) {
    large_t *known = NULL;
    for (uint32_t i = 0; i < table->large_count; i++) {
        large_t *other = &table->large[i];
        if (are_same(other, &large)) {
            if (other->moment == large.moment) return;
            other->moment = large.moment;
            known = other;
        }
        if (other->last < large.first || large.last < other->first || other->thread == large.thread) continue;
        if (other->writes || large.writes) mark(other->site), mark(large.site);
    }
    uint64_t position = 0;
    for (use_t *use; (use = next_use(large.first, large.last, &position));) {
        add_use(use, large.thread, table->moments[large.thread], large.writes, large.site);
    }
    if (known) return;
    if (table->large_count < MOST_LARGE) {
        table->large[table->large_count++] = large;
    } else {
        mark(large.site);
        lab_note(compiled_overflow);
    }
}

// Compares the release of a block with the uses of it by other threads. The release itself needs no entry: a later use
// ends the execution, because the memory is not used again. For the same reason, large accesses to the block need not
// be remembered any longer.
static void learn_release(uint64_t first, uint64_t last, uint32_t site) {
    int thread = lab_state->current;
    table->released[table->released_count++ % MOST_RELEASED] = (released_t){first, last, site};
    for (uint32_t i = 0; i < table->large_count;) {
        large_t *large = &table->large[i];
        int meets = large->first <= last && first <= large->last;
        if (meets && large->thread != thread && table->seen[thread][large->thread] < large->moment) mark(large->site), mark(site);
        if (first <= large->first && large->last <= last) *large = table->large[--table->large_count];
        else i++;
    }
    for (uint64_t granule = first, next; granule <= last; granule = next) {
        next = (granule / BLOCK + 1) * BLOCK;
        if (lab_is_only_used_by(granule * COMPILED_GRANULE, thread)) continue;
        for (uint64_t number = granule; number < next && number <= last; number++) {
            use_t *use = entry_of(number);
            if (use && is_of_execution(use)) add_use(use, thread, table->moments[thread], 1, site);
        }
    }
}

void lab_learn_late_use(uint64_t address) {
    uint64_t granule = address / COMPILED_GRANULE;
    uint32_t count = table->released_count < MOST_RELEASED ? table->released_count : MOST_RELEASED;
    for (uint32_t i = 0; i < count; i++) {
        const released_t *released = &table->released[i];
        if (released->first <= granule && granule <= released->last) mark(released->site);
    }
}

// Compares the access with others on the same memory. Marks the places of those that are in no order if one is a write.
static void learn(uint64_t address, uint64_t size, int writes, uint32_t site) {
    uint64_t first = address / COMPILED_GRANULE, last = (address + size - 1) / COMPILED_GRANULE;
    if (writes == RELEASES) return learn_release(first, last, site);
    if (last - first >= COMPILED_MOST_GRANULES) {
        int thread = lab_state->current;
        return learn_large((large_t){first, last, thread, writes, site, table->moments[thread]});
    }
    for (uint64_t granule = first; granule <= last; granule++) learn_granule(granule, writes, site);
}

// MARK: - The bytes of steps

// Adds the bits (as in compiled_granule_t) to the granule's entry in the table that the engine reads.
static void note_granule(uint64_t number, uint8_t bits) {
    compiled_granule_t *entry = compiled_granule(&lab_state->program, number);
    while (entry && entry->number != number) {
        uint64_t free = 0;
        if (__atomic_compare_exchange_n(&entry->number, &free, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) break;
        entry = compiled_granule(&lab_state->program, number);
    }
    if (!entry) return lab_note(compiled_overflow);
    if (lab_state->learns && (entry->learned | bits) != entry->learned) {
        __atomic_fetch_or(&entry->learned, bits, __ATOMIC_RELAXED);
    }
    int is_learned = entry->learned & 1;
    if (!is_learned) lab_note(compiled_on_unlearned);
    if ((entry->seen | bits) != entry->seen) __atomic_fetch_or(&entry->seen, bits, __ATOMIC_RELAXED);
}

// Notes for the engine how the step divides its granules.
static void note_bytes(uint64_t address, uint64_t size) {
    uint64_t end = address + size, first = address / COMPILED_GRANULE, last = (end - 1) / COMPILED_GRANULE;
    int is_large = last - first >= COMPILED_MOST_GRANULES;
    if (is_large) lab_note(compiled_on_many);
    for (uint64_t number = first;; number = is_large ? last : number + 1) {
        uint8_t bits = 1; // the granule is accessed
        if (number == first) bits |= (uint8_t)(1 << address % COMPILED_GRANULE);
        if (number == last && end % COMPILED_GRANULE) bits |= (uint8_t)(1 << end % COMPILED_GRANULE);
        note_granule(number, bits);
        if (number == last) return;
    }
}

void lab_note_atomic(const volatile void *memory, uint64_t size, int writes) {
    if (lab_is_on_stack((uint64_t)memory)) lab_note_stack((uint64_t)memory);
    learn((uint64_t)memory, size, writes, NO_SITE);
    note_bytes((uint64_t)memory, size);
}

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
        int64_t value = 0;
        memcpy(&value, (const void *)address, size);
        return value;
    }
    }
}

LAB_OFFER(peek, lab_peek);

int lab_learn_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller) {
    if (!lab_is_program_code(caller)) return 0;
    uint64_t place = compiled_place(&lab_state->program, caller);
    learn((uint64_t)memory, size, writes, (uint32_t)place);
    return lab_state->program.shared_places[place] & COMPILED_STEP;
}

// amount: how many accesses and calls the running thread has made since the last step. is_pause: whether its next step
// is a pause, because they are more than MUCH_WORK.
typedef struct {
    uint32_t amount;
    int is_pause;
} work_t;
LAB_EACH_EXECUTION(work_t, work);

// A thread that does more than MUCH_WORK without a step pauses to let others continue, in case it waits for them. After
// MOST_PAUSES pauses in a row, which take seconds, it pauses no more, and is reported as a hang if it continues so.
enum { MUCH_WORK = 1 << 20, MOST_PAUSES = 1 << 9 };

// While steps are learned: what a thread has read since it last took a step that is not a pause, or wrote outside its
// own stack, to find out whether its reads repeat.
enum { MOST_QUIET = 8 };
typedef struct {
    // The last reads, each as a hash.
    uint64_t last[MOST_QUIET];
    // The number of reads; after how many reads they repeat (0: not known); and how many reads in a row were
    // repetitions.
    uint64_t count, period, repeats;
} quiet_t;
LAB_EACH_THREAD(quiet_t, quiets);

// How often the thread has paused since its last other step.
LAB_EACH_THREAD(uint32_t, pauses);

static void begin_step(fiber_t *running, compiled_request_t *request) {
    (void)running, (void)request;
    if (quiets[lab_state->current].count && !work->is_pause) quiets[lab_state->current] = (quiet_t){0};
    uint32_t *count = &pauses[lab_state->current];
    *count = work->is_pause ? *count + 1 : 0;
    *work = (work_t){0};
}
LAB_BEFORE_STEP(LAB_FIRST, begin_step);

static void take_pause(uint64_t site) {
    work->amount = 0;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    // Not while the thread holds a lock of the runtime (`held`), nor in a release by a library (`release_site`), in
    // case the library holds a lock, for which other threads would wait without steps.
    if (lab_state->unjoined < 2 || pauses[lab_state->current] >= MOST_PAUSES || fiber->held || fiber->release_site) return;
    work->is_pause = 1;
    lab_ask((compiled_request_t){.kind = compiled_yield, .site = site});
    lab_run_before_access(site);
}

// While steps are learned: whether the thread has read the same few variables so often that it seems to wait until
// another thread writes one. The other thread can run only if one of these reads is a step.
static int is_stuck(uint64_t address, uint64_t site) {
    static const uint64_t MANY = 1 << 22;
    quiet_t *quiet = &quiets[lab_state->current];
    uint64_t read = address * COMPILED_HASH_FACTOR ^ site, number = quiet->count++;
    int repeats = quiet->period && quiet->last[(number - quiet->period) % MOST_QUIET] == read;
    quiet->repeats = repeats ? quiet->repeats + 1 : 0;
    for (uint64_t period = 1; !repeats && period <= MOST_QUIET; period++) {
        quiet->period = number >= period && quiet->last[(number - period) % MOST_QUIET] == read ? period : 0;
        if (quiet->period) break;
    }
    quiet->last[number % MOST_QUIET] = read;
    return quiet->repeats >= MANY;
}

static int is_on_own_stack(uint64_t address) { return address - (uint64_t)lab_state->fibers[lab_state->current].stack < STACK; }

// Notes an access, and takes a step if its place in the code is one. meaning: of a write.
static void access_memory(
    uint64_t address, uint64_t size, int writes, compiled_write_t meaning, uint64_t caller, const char *text, uint32_t number,
    const uint64_t *entry) {
    if (writes && !is_on_own_stack(address)) lab_disturb(), quiets[lab_state->current] = (quiet_t){0};
    lab_check_use(address, size, caller);
    // With one thread, nothing can come between two accesses.
    if (lab_state->unjoined < 2) return;
    uint64_t place = compiled_place(&lab_state->program, caller);
    if (place == COMPILED_NO_PLACE) return;
    if (++work->amount > MUCH_WORK) take_pause(caller);
    if (lab_is_on_stack(address)) lab_note_stack(address);
    learn(address, size, writes, (uint32_t)place);
    if (lab_state->learns && !writes && is_stuck(address, caller)) mark((uint32_t)place);
    if (!(lab_state->program.shared_places[place] & COMPILED_STEP)) return;
    lab_run_before_access(caller);
    note_bytes(address, size);
    lab_touch((void *)address, caller);
    compiled_request_t request = {
        .kind = writes ? compiled_write : compiled_read, .detail = meaning, .object = address, .size = size, .site = caller, .text = text, .line = number};
    if (!writes) request.watch = (uint8_t)lab_watch(&request, entry);
    lab_ask(request);
    lab_check_use(address, size, caller);
    // A release leaves no entry, which uses by other threads before this step would have met.
    if (writes == RELEASES) learn(address, size, writes, (uint32_t)place);
}

static void note_access(
    const volatile void *memory, uint64_t size, int writes, compiled_write_t meaning, uint64_t caller, const char *text, uint32_t number) {
    if (!lab_runs_program()) return;
    const uint64_t *entry = lab_take_entry();
    if (!size || lab_is_runtime_code(caller)) return;
    uint64_t address = (uint64_t)memory;
    access_memory(address, size, writes, meaning, caller, text, number, entry);
    if (writes && lab_is_on_stack(address)) lab_change_stack(address, size);
}

void lab_note_named_access(
    const volatile void *memory, uint64_t size, int writes, uint64_t caller, const char *text, uint32_t number) {
    note_access(memory, size, writes, compiled_stores, caller, text, number);
}

void lab_note_last_write(const volatile void *memory, uint64_t size, compiled_write_t meaning, uint64_t caller) {
    note_access(memory, size, 1, meaning, caller, NULL, 0);
}

void lab_note_access(const volatile void *memory, uint64_t size, int writes, uint64_t caller) {
    lab_note_named_access(memory, size, writes, caller, NULL, 0);
}

// Makes a step on a lock also a use of the lock's memory, if that is in the heap, where it can be freed, or on the
// stack of another thread, which can end.
static void use_memory_of_lock(fiber_t *running, compiled_request_t *request) {
    (void)running;
    // The first requests of the table, up to this one, are on locks, conditions and semaphores.
    int is_lock = request->kind <= compiled_unlock_shared || request->kind == compiled_destroy;
    if (!is_lock || lab_state->unjoined < 2) return;
    if (!lab_is_in_heap(request->object) && !lab_is_on_others_stack(request->object)) return;
    request->size = 1;
    lab_note_atomic((void *)request->object, 1, 0);
}
LAB_BEFORE_STEP(LAB_LAST, use_memory_of_lock);

// Whether another thread has used some of these bytes in this execution, in no fixed order with the running thread.
static int is_used_by_others(uint64_t address, uint64_t size) {
    uint64_t first = address / COMPILED_GRANULE, last = (address + size - 1) / COMPILED_GRANULE;
    for (uint32_t i = 0; i < table->large_count; i++) {
        const large_t *large = &table->large[i];
        if (large->first <= last && first <= large->last && large->thread != lab_state->current) return 1;
    }
    uint64_t position = 0;
    for (const use_t *use; (use = next_use(first, last, &position));) {
        if (use->is_unordered || !is_seen(use, lab_state->current)) return 1;
    }
    return 0;
}

uint64_t lab_begin_release(uint64_t site) {
    if (!is_controlled()) return 0;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    uint64_t before = fiber->release_site;
    // A call by the library itself is part of the call by the program.
    if (lab_is_program_code(site)) fiber->release_site = site;
    return before;
}

void lab_end_release(uint64_t before) {
    if (is_controlled()) lab_state->fibers[lab_state->current].release_site = before;
}

void lab_note_release(const volatile void *block, uint64_t size, uint64_t caller) {
    if (!is_controlled()) return;
    if (!size) size = 1;
    uint64_t release_site = lab_state->fibers[lab_state->current].release_site;
    if (release_site && !lab_is_program_code(caller)) caller = release_site;
    note_access(block, size, RELEASES, compiled_frees, caller, NULL, 0);
    // A library's code takes no steps, because it may hold locks of its own. How these order threads is not visible
    // here.
    if (lab_is_program_code(caller) || lab_state->unjoined < 2) return;
    if (!lab_state->learns && is_used_by_others((uint64_t)block, size)) lab_note(compiled_released_by_library);
}

// The functions that instrumented code calls before an access of `size` bytes. A read can be part of a polling loop
// only if its function begins with ENTER_READ (spins.c). A read that a write follows cannot, because the write ends the
// round.
#define ACCESS(name, size, writes) \
    EXPORTED void __tsan_##name(void *memory) { \
        if (!(writes)) ENTER_READ(); \
        lab_note_access(memory, size, writes, SITE); \
    }
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
    lab_note_access(memory, size, 0, SITE);
}

EXPORTED void __tsan_write_range(void *memory, unsigned long size) {
    lab_note_access(memory, size, 1, SITE);
}

EXPORTED void __tsan_vptr_read(void **memory) {
    ENTER_READ();
    lab_note_access(memory, sizeof *memory, 0, SITE);
}

EXPORTED void __tsan_vptr_update(void **memory, void *value) {
    if (*memory != value) lab_note_access(memory, sizeof *memory, 1, SITE);
}

EXPORTED void *__tsan_memcpy(void *to, const void *from, size_t size) {
    lab_note_access(from, size, 0, SITE);
    lab_note_access(to, size, 1, SITE);
    return REAL(memcpy, void *, void *, const void *, size_t)(to, from, size);
}

EXPORTED void *__tsan_memmove(void *to, const void *from, size_t size) {
    lab_note_access(from, size, 0, SITE);
    lab_note_access(to, size, 1, SITE);
    return REAL(memmove, void *, void *, const void *, size_t)(to, from, size);
}

EXPORTED void *__tsan_memset(void *to, int value, size_t size) {
    lab_note_access(to, size, 1, SITE);
    return REAL(memset, void *, void *, int, size_t)(to, value, size);
}

// Other calls by instrumented code. Function entries and exits are used: to count work, and for loops that are known.
EXPORTED void __tsan_init(void) {}
EXPORTED void __tsan_func_entry(void *caller) {
    if (!lab_runs_program()) return;
    lab_enter_function(SITE, __builtin_frame_address(0));
    if (++work->amount <= MUCH_WORK) return;
    // A library that calls the program may hold a lock of its own.
    if (lab_is_program_code((uint64_t)caller)) take_pause(SITE);
}
EXPORTED void __tsan_func_exit(void) {
    if (lab_runs_program()) lab_leave_function(SITE);
}
EXPORTED void __tsan_ignore_thread_begin(void) {}
EXPORTED void __tsan_ignore_thread_end(void) {}

#endif
