// What was destroyed, or never initialized, and is used all the same. That is undefined, and on real threads often seems to work.
//
// The mark of destruction is in the object's own memory: initialization overwrites it, be it by a call or by a constant, and so does other use of
// the memory.
//
// An object that nothing has initialized is found by the same means, because new memory of the heap and of stacks is zero here, and so are free
// locks. While steps are learned, it is noted which of their bytes locks, conditions and semaphores are in. From then on these bytes are not zero
// when the memory is new: if they still are what was put there when the object is used, nothing has written it, in whatever way. What is written is
// taken for initialized, and so is memory that is to be zero, as that of calloc.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

// Called at once after the step that uses it: whether that came before the destruction depends on the order of the two steps.
void lab_refuse_unmade(const volatile void *object, uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_use_unmade, .object = (uint64_t)object, .site = site});
}

// MARK: - Never initialized

enum {
    MOST_OBJECTS = 1 << 12,
    PLACES = 4 * MOST_OBJECTS,
    // As a kind of mutex, it is a normal one.
    UNMADE = 0xC8,
};
static const uint32_t UNMADE_WORD = UNMADE * 0x01010101u;

// Where one is: in a block of the heap, as which only that counts which was allocated at the same place, with the same size; or on a stack.
typedef struct {
    uint64_t address, block, block_size, block_site;
    uint32_t size;
    // On a stack.
    int thread;
} object_t;

// Shared by all processes. Only those that learn steps write there, one after the other.
static struct {
    uint32_t count;
    object_t objects[MOST_OBJECTS];
    // Tables with open addressing: the number of an object, plus one, by its address; and by that of its block.
    uint16_t by_address[PLACES], by_block[PLACES];
    // Those on stacks.
    uint32_t on_stacks;
} *known;

static void make_objects(void) { known = lab_map_shared(sizeof *known); }
LAB_PHASE(lab_with_engine, LAB_EARLY + 3, make_objects);

static uint32_t place_of(uint64_t address) { return (uint32_t)((address * 0x9E3779B97F4A7C15u) >> 40) % PLACES; }

static void add_to(uint16_t *table, uint64_t address, uint32_t number) {
    uint32_t place = place_of(address);
    while (table[place]) place = (place + 1) % PLACES;
    table[place] = (uint16_t)(number + 1);
}

static int is_known(uint64_t address, uint32_t size) {
    for (uint32_t place = place_of(address); known->by_address[place]; place = (place + 1) % PLACES) {
        const object_t *object = &known->objects[known->by_address[place] - 1];
        if (object->address == address && object->size == size) return 1;
    }
    return 0;
}

static int is_all(const volatile void *memory, uint32_t size, uint8_t value) {
    const volatile uint8_t *bytes = memory;
    for (uint32_t i = 0; i < size; i++) {
        if (bytes[i] != value) return 0;
    }
    return 1;
}

// Of the thread that runs, or of another. -1: it is on none.
static int thread_of_stack(uint64_t address) {
    return lab_is_on_stack(address) ? (int)((address - (uint64_t)lab_state->stacks) / STACK) : -1;
}

static void add(object_t object) {
    if (known->count == MOST_OBJECTS) return;
    uint32_t number = known->count++;
    known->objects[number] = object;
    add_to(known->by_address, object.address, number);
    if (object.block) add_to(known->by_block, object.block, number);
    else known->on_stacks++;
    lab_state->program.knowledge++;
}

void lab_note_object(const volatile void *memory, uint32_t whole, uint64_t site) {
    uint64_t address = (uint64_t)memory;
    // Behind a block that is too small for it is memory of others.
    uint32_t size = (uint32_t)lab_rest_of_block(address, whole);
    object_t object = {.address = address, .size = size, .thread = thread_of_stack(address)};
    if (object.thread < 0 && !lab_is_new_in_heap(address)) return;
    // What is not zero was written: only the runtime writes anything else into new memory.
    if (!is_all(memory, size, 0) || is_known(address, size)) return;
    if (!lab_state->learns) {
        compiled_firsts_t *firsts = lab_state->program.firsts;
        if (!firsts->unmade_site) firsts->unmade_site = site;
        return;
    }
    if (object.thread < 0 && !lab_heap_block(address, &object.block, &object.block_size, &object.block_site)) return;
    add(object);
}

// Each way to initialize one writes all of its first bytes, so one word is enough that was not written. Others may be those of variables that were
// on the stack there before.
int lab_is_unmade(const volatile void *memory, uint32_t first) {
    for (uint32_t i = 0; i < first / sizeof UNMADE_WORD; i++) {
        if (((const volatile uint32_t *)memory)[i] == UNMADE_WORD) return 1;
    }
    return 0;
}

void lab_spoil_block(void *block, uint64_t size, uint64_t site) {
    if (!known || !known->count || lab_state->learns) return;
    for (uint32_t place = place_of((uint64_t)block); known->by_block[place]; place = (place + 1) % PLACES) {
        const object_t *object = &known->objects[known->by_block[place] - 1];
        if (object->block != (uint64_t)block || object->block_size != size || object->block_site != site) continue;
        REAL(memset, void *, void *, int, size_t)((void *)object->address, UNMADE, object->size);
    }
}

void lab_spoil_stack(int thread) {
    if (!known->on_stacks || lab_state->learns) return;
    for (uint32_t i = 0; i < known->count; i++) {
        const object_t *object = &known->objects[i];
        if (object->block || object->thread != thread) continue;
        REAL(memset, void *, void *, int, size_t)((void *)object->address, UNMADE, object->size);
    }
}
#endif
