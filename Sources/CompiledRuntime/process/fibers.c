// Makes the program's threads, which are fibers: each has a stack and thread-local storage of its own. steps.c switches
// between them and the engine.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    // The maximum size of a program's static thread-local variables, in bytes.
    MOST_STORAGE = 1 << 20,
};

static struct {
    // The C library's own function that allocates and initializes a thread's storage for pthread_create
    // (_dl_allocate_tls).
    void *(*allocate_storage)(void *);
    // The C library's own function that destroys C++ thread-local variables when a thread ends (__call_tls_dtors).
    // Null: it has none.
    void (*destroy_variables)(void);
    // The offset in a thread's descriptor at which the C library keeps the thread's number (TID). 0: not found.
    size_t number_offset;
    // The size of the static thread-local variables of all modules. They lie below the descriptor.
    size_t size;
    // The content of these variables in a new thread, and in the main thread.
    char *image, *main_image;
} storage;

// The descriptor's first words, as the C library (tcbhead_t) and the processor's ABI define them. SELF: again the
// descriptor's address. The guards protect stacks and pointers, and are the same in all threads.
enum { ADDRESS = 0, VECTOR = 1, SELF = 2, STACK_GUARD = 5, POINTER_GUARD = 6 };

// The thread pointer: the address of the current descriptor, which begins with its own address.
static uint64_t storage_pointer(void) {
    uint64_t pointer;
    __asm__("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

// MARK: - Storage

// Searches the running thread's descriptor for the thread's number. Returns the offset, or 0.
static size_t find_number(uint64_t descriptor) {
    // The part of the descriptor that is searched, in bytes.
    enum { FIRST_OFFSET = 0x80, END_OFFSET = 0x800 };
    uint32_t number = (uint32_t)syscall(SYS_gettid);
    for (size_t offset = FIRST_OFFSET; offset < END_OFFSET; offset += sizeof number) {
        if (*(uint32_t *)(descriptor + offset) == number) return offset;
    }
    return 0;
}

// An entry of a thread's vector (DTV), which points to the thread's variables in each module. The entry before the
// vector holds its length.
typedef struct {
    uint64_t parts[2];
} vector_entry_t;

// Includes the entry before the vector, and the vector's first entry, which belongs to no module.
static size_t vector_size(const vector_entry_t *vector) { return (vector[-1].parts[0] + 2) * sizeof *vector; }

// Keeps a copy of a new thread's vector. Returns false if there is no memory.
static int keep_vector(fiber_t *fiber, vector_entry_t *vector) {
    fiber->vector = vector;
    fiber->fresh_vector = malloc(vector_size(vector));
    if (fiber->fresh_vector) memcpy(fiber->fresh_vector, vector - 1, vector_size(vector));
    return fiber->fresh_vector != NULL;
}

void lab_scan_vector(const fiber_t *fiber, void (*scan)(const void *start, size_t size)) {
    const vector_entry_t *vector = fiber->vector;
    if (vector) scan(vector - 1, vector_size(vector));
}

// Restores the vector to that of a new thread. Variables that an execution has added are gone with the execution's
// heap.
static void put_vector_back(fiber_t *fiber) {
    vector_entry_t *vector = fiber->vector;
    ((void **)fiber->storage)[VECTOR] = vector;
    memcpy(vector - 1, fiber->fresh_vector, vector_size(vector));
}

// Makes the storage of a thread as pthread_create does. Returns its thread pointer, or 0 if there is no memory.
static uint64_t make_storage(int thread) {
    uint64_t pointer = (uint64_t)storage.allocate_storage(NULL);
    if (!pointer) return 0;
    if (!keep_vector(&lab_state->fibers[thread], ((void **)pointer)[VECTOR])) return 0;
    uint64_t *descriptor = (uint64_t *)pointer, *host = (uint64_t *)lab_state->host_storage;
    descriptor[ADDRESS] = pointer;
    descriptor[SELF] = pointer;
    descriptor[STACK_GUARD] = host[STACK_GUARD];
    descriptor[POINTER_GUARD] = host[POINTER_GUARD];
    if (storage.number_offset) *(uint32_t *)(pointer + storage.number_offset) = (uint32_t)(getpid() + thread);
    return pointer;
}

// Called for each loaded file: lowers `*lowest` to where its static thread-local variables begin in the engine's
// thread.
static int note_module(struct dl_phdr_info *module, size_t size, void *lowest) {
    (void)size;
    uint64_t start = (uint64_t)module->dlpi_tls_data, end = lab_state->host_storage;
    // The variables of a library that was loaded late are elsewhere.
    if (start && start < end && end - start < MOST_STORAGE && start < *(uint64_t *)lowest) *(uint64_t *)lowest = start;
    return 0;
}

// Copies the thread-local variables of the main thread, and those of a new thread, from storage that thread 1 then
// keeps. In a new thread, they include the C library's pointers to tables of characters (init_ctype).
static void make_images(void (*init_ctype)(void)) {
    uint64_t lowest = lab_state->host_storage;
    dl_iterate_phdr(note_module, &lowest);
    storage.size = lab_state->host_storage - lowest;
    storage.image = malloc(2 * storage.size + 1);
    storage.main_image = storage.image + storage.size;
    memcpy(storage.main_image, (char *)lowest, storage.size);
    uint64_t fresh = make_storage(1);
    if (!fresh) lab_give_up("no memory for the threads' variables");
    lab_state->fibers[1].storage = fresh;
    lab_set_storage_pointer(fresh);
    init_ctype();
    lab_set_storage_pointer(lab_state->host_storage);
    memcpy(storage.image, (char *)fresh - storage.size, storage.size);
    lab_state->storage_size = storage.size;
}

static void make_fibers(void) {
    storage.allocate_storage = (void *(*)(void *))lab_find(RTLD_DEFAULT, "_dl_allocate_tls");
    void (*init_ctype)(void) = (void (*)(void))lab_find(RTLD_DEFAULT, "__ctype_init");
    if (!storage.allocate_storage || !init_ctype) {
        lab_give_up("this version of the C library is not supported: it has no '_dl_allocate_tls'");
    }
    storage.destroy_variables = (void (*)(void))lab_find(RTLD_DEFAULT, "__call_tls_dtors");
    lab_state->host_storage = storage_pointer();
    storage.number_offset = find_number(lab_state->host_storage);
    if (!lab_make_stacks()) lab_give_up("no memory for the threads' stacks");
    make_images(init_ctype);
}
// After find_instructions, which finds out how the thread pointer is set.
LAB_PHASE(lab_with_engine, LAB_EARLY + 1, make_fibers);

void lab_destroy_variables(void) {
    if (storage.destroy_variables) storage.destroy_variables();
}
LAB_PHASE(lab_at_thread_end, LAB_FIRST, lab_destroy_variables);

// MARK: - The beginning of a thread

// Makes the storage in memory that outlasts the execution: if no thread is running, the heap allocates in a region that
// is not cleared (OUTSIDE).
static uint64_t make_storage_outside(int thread) {
    int running = lab_state->current;
    lab_state->current = -1;
    uint64_t made = make_storage(thread);
    lab_state->current = running;
    if (!made) lab_give_up("no memory for a thread's variables");
    return made;
}

void lab_begin_fiber(int thread, void (*entry)(void), void *(*body)(void *), void *argument) {
    fiber_t *fiber = &lab_state->fibers[thread];
    if (!fiber->storage) fiber->storage = make_storage_outside(thread);
    put_vector_back(fiber);
    char *variables = (char *)fiber->storage - storage.size;
    if (fiber->has_ended) lab_set_ended(variables, storage.size, 0);
    memcpy(variables, thread == 0 ? storage.main_image : storage.image, storage.size);
    fiber->body = body;
    fiber->argument = argument;
    fiber->result = NULL;
    fiber->is_detached = fiber->is_joined = fiber->has_ended = 0;
    fiber->cancellation = (cancellation_t){0};
    fiber->rounds = (rounds_t){0};
    fiber->condition = NULL;
    fiber->held = 0;
    fiber->release_site = 0;
    fiber->has_returned = 0;
    fiber->caller_site = fiber->live_stack = 0;
    fiber->signal_stack = (stack_t){0};
    lab_clear_variables_of_thread(thread);
    memset(fiber->values, 0, (size_t)lab_state->most_keys * sizeof *fiber->values);
    lab_clear_stack(fiber);
    lab_spoil_stack(thread);
    // Looks like the stack of a thread that is suspended in switch_stack and returns from it into `entry`: from the top
    // down, a null return address for `entry`, the address of `entry`, and six saved registers.
    void **stack = (void **)(fiber->stack + STACK) - 1;
    *stack = NULL;
    *--stack = (void *)entry;
    stack -= 6;
    memset(stack, 0, 6 * sizeof *stack);
    fiber->stack_pointer = stack;
}

#endif
