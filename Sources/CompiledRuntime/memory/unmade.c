// Locks, conditions and semaphores that are used although they were destroyed, or never initialized. The behavior is
// undefined, but on real threads such a program often seems to work.
//
// The functions that destroy an object, such as pthread_mutex_destroy, write a mark into its memory. Initialization
// overwrites the mark, whether by a call or by a constant, and so does any other use of the memory.
//
// An object that was never initialized is found in a similar way. New memory of the heap and of stacks is zero here,
// and so are free locks. So while steps are learned, the bytes of such memory that hold locks, conditions and
// semaphores are noted. In other executions, these bytes are filled with a pattern when the memory is new. If the
// pattern is still there when the object is used, nothing has written the object in any way. An object that was written
// counts as initialized, and so does one in memory that has to be zero, such as that of calloc.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

// Called after the step that uses the object, because the order of steps decides whether the object has been destroyed.
// For a wait for a condition, called before the step: after the wait, the condition may be destroyed.
void lab_refuse_unmade(const volatile void *object, uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_use_unmade, .object = (uint64_t)object, .site = site});
}

// MARK: - Never initialized

enum {
    MOST_OBJECTS = 1 << 12,
    // The size of the hash tables.
    SLOTS = 4 * MOST_OBJECTS,
    // The byte of the pattern. As the kind of a mutex, it means a normal mutex.
    UNMADE = 0xC8,
};
static const uint32_t UNMADE_WORD = UNMADE * 0x01010101u; // the byte four times

// Where an object is. block, block_size, block_site: the heap block that contains it; a block of another execution
// counts as the same if its address, its size and the code that allocates it are the same. 0: the object is on a stack.
typedef struct {
    uint64_t address, block, block_size, block_site;
    uint32_t size;
    // The thread on whose stack the object is. -1: it is on none.
    int thread;
} object_t;

// Shared by all processes. Only those that learn steps write here, one after the other.
static struct {
    uint32_t count;
    object_t objects[MOST_OBJECTS];
    // Hash tables with open addressing: an object's number plus one, by its address, and by the address of its block.
    uint16_t by_address[SLOTS], by_block[SLOTS];
    // The number of objects on stacks.
    uint32_t on_stacks;
} *known;

static void make_objects(void) { known = lab_map_shared(sizeof *known); }
LAB_PHASE(lab_with_engine, LAB_EARLY + 3, make_objects);

// The slot of a hash table at which the search for this address begins.
static uint32_t slot_of(uint64_t address) { return (uint32_t)((address * COMPILED_HASH_FACTOR) >> 40) % SLOTS; }

static void add_to(uint16_t *table, uint64_t address, uint32_t number) {
    uint32_t slot = slot_of(address);
    while (table[slot]) slot = (slot + 1) % SLOTS;
    table[slot] = (uint16_t)(number + 1);
}

static int is_known(uint64_t address, uint32_t size) {
    for (uint32_t slot = slot_of(address); known->by_address[slot]; slot = (slot + 1) % SLOTS) {
        const object_t *object = &known->objects[known->by_address[slot] - 1];
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

// The thread on whose stack the address is. -1: it is on none.
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
    // If the block is too small for the object, the memory behind it is not the object's.
    uint32_t size = (uint32_t)lab_rest_of_block(address, whole);
    object_t object = {.address = address, .size = size, .thread = thread_of_stack(address)};
    if (object.thread < 0 && !lab_is_new_in_heap(address)) return;
    // Memory that is not zero was written. Only the runtime puts anything but zeros in new memory.
    if (!is_all(memory, size, 0) || is_known(address, size)) return;
    if (!lab_state->learns) {
        compiled_firsts_t *firsts = lab_state->program.firsts;
        if (!firsts->unmade_site) firsts->unmade_site = site;
        return;
    }
    if (object.thread < 0 && !lab_heap_block(address, &object.block, &object.block_size, &object.block_site)) return;
    add(object);
}

// Each way to initialize an object writes all of its first bytes, so one word with the pattern is enough. Other words
// may be left from variables that were on the stack there before.
int lab_is_unmade(const volatile void *memory, uint32_t first) {
    for (uint32_t i = 0; i < first / sizeof UNMADE_WORD; i++) {
        if (((const volatile uint32_t *)memory)[i] == UNMADE_WORD) return 1;
    }
    return 0;
}

void lab_spoil_block(void *block, uint64_t size, uint64_t site) {
    if (!known || !known->count || lab_state->learns) return;
    for (uint32_t slot = slot_of((uint64_t)block); known->by_block[slot]; slot = (slot + 1) % SLOTS) {
        const object_t *object = &known->objects[known->by_block[slot] - 1];
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
