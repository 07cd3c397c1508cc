// The program's threads: stacks, each with thread-local storage of its own, between which and the engine the processor switches.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <asm/prctl.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    // The thread-local variables of a program are not more, in bytes.
    MOST_STORAGE = 1 << 20,
};

static struct {
    // Makes and initializes the thread-local storage of a thread, as pthread_create does. The C library has it for itself.
    void *(*allocate_storage)(void *);
    // Where in the thread's descriptor its number is, which the C library reads; 0: not found.
    size_t number_offset;
    // The size of all initialized thread-local variables, which lie below the descriptor.
    size_t size;
    // What they are in a new thread, and in the main one.
    char *image, *main_image;
    int is_fast;
} storage;

// In a page that a copy of the process finds empty.
static int *is_own_process;

static _Noreturn void give_up(const char *why) {
    fprintf(stderr, "threadlab: %s\n", why);
    _exit(3);
}

static uint64_t storage_pointer(void) {
    uint64_t pointer;
    __asm__("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

static inline void set_storage_pointer(uint64_t pointer) {
    if (storage.is_fast) {
        __asm__ volatile("wrfsbase %0" : : "r"(pointer) : "memory");
    } else {
        long result;
        __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_arch_prctl), "D"(ARCH_SET_FS), "S"(pointer) : "rcx", "r11", "memory");
    }
}

// Suspends the caller, which continues when a switch to `*save` is made.
__attribute__((naked, noinline)) static void switch_stack(void **save, void *to) {
    __asm__ volatile("pushq %rbp\n\tpushq %rbx\n\tpushq %r12\n\tpushq %r13\n\tpushq %r14\n\tpushq %r15\n\t"
                     "movq %rsp, (%rdi)\n\tmovq %rsi, %rsp\n\t"
                     "popq %r15\n\tpopq %r14\n\tpopq %r13\n\tpopq %r12\n\tpopq %rbx\n\tpopq %rbp\n\tretq");
}

// MARK: - What executions show that are shown

// In a mapping of its own: where what is below the stack is kept meanwhile, and behind that whether this execution is shown.
#define BELOW "1024"
HIDDEN char *lab_below;

__attribute__((used, visibility("hidden"))) void lab_show_now(compiled_kind_t kind, uint64_t object, uint64_t site) {
    lab_state->request = (compiled_request_t){.kind = kind, .object = object, .site = site};
    switch_stack(&lab_state->fibers[lab_state->current].stack_pointer, lab_state->host_stack_pointer);
}

// What a function that has returned has left there may be in a frame of the program's later, and be taken for a pointer.
__attribute__((naked, noinline)) void lab_show(compiled_kind_t kind, uint64_t object, uint64_t site) {
    __asm__ volatile("movq lab_below(%rip), %rax\n\tcmpl $0, " BELOW "(%rax)\n\tje 1f\n\t"
                     "movq %rdi, %r8\n\tmovq %rsi, %r9\n\t"
                     "leaq -" BELOW "(%rsp), %rsi\n\tmovq lab_below(%rip), %rdi\n\tmovl $" BELOW " / 8, %ecx\n\trep movsq\n\t"
                     "movq %r8, %rdi\n\tmovq %r9, %rsi\n\t"
                     "subq $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n\tcall lab_show_now\n\taddq $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n\t"
                     "leaq -" BELOW "(%rsp), %rdi\n\tmovq lab_below(%rip), %rsi\n\tmovl $" BELOW " / 8, %ecx\n\trep movsq\n\t"
                     "1: retq");
}

void lab_begin_showing(void) { *(int *)(lab_below + 1024) = lab_state->program.has_calls; }

// MARK: - Storage

static size_t find_number(uint64_t descriptor) {
    uint32_t number = (uint32_t)syscall(SYS_gettid);
    for (size_t offset = 0x80; offset < 0x800; offset += 4) {
        if (*(uint32_t *)(descriptor + offset) == number) return offset;
    }
    return 0;
}

// Where a thread has the variables of each module: as `_dl_allocate_tls` of the C library makes it, with its length in front.
typedef struct {
    uint64_t parts[2];
} vector_entry_t;

static size_t vector_size(const vector_entry_t *vector) { return (vector[-1].parts[0] + 2) * sizeof *vector; }

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

// The variables that an execution has made are gone with its heap.
static void put_vector_back(fiber_t *fiber) {
    vector_entry_t *vector = fiber->vector;
    ((void **)fiber->storage)[1] = vector;
    memcpy(vector - 1, fiber->fresh_vector, vector_size(vector));
}

static uint64_t make_storage(int thread) {
    uint64_t pointer = (uint64_t)storage.allocate_storage(NULL);
    if (!pointer) return 0;
    if (!keep_vector(&lab_state->fibers[thread], ((void **)pointer)[1])) return 0;
    uint64_t *descriptor = (uint64_t *)pointer, *host = (uint64_t *)lab_state->host_storage;
    descriptor[0] = pointer;
    descriptor[2] = pointer;
    // The guards of the stack and of saved pointers.
    descriptor[5] = host[5];
    descriptor[6] = host[6];
    if (storage.number_offset) *(uint32_t *)(pointer + storage.number_offset) = (uint32_t)(getpid() + thread);
    return pointer;
}

static int note_module(struct dl_phdr_info *module, size_t size, void *lowest) {
    (void)size;
    uint64_t start = (uint64_t)module->dlpi_tls_data, end = lab_state->host_storage;
    // Not that of a library that was loaded late, which is elsewhere.
    if (start && start < end && end - start < MOST_STORAGE && start < *(uint64_t *)lowest) *(uint64_t *)lowest = start;
    return 0;
}

static void make_images(void (*init_ctype)(void)) {
    uint64_t lowest = lab_state->host_storage;
    dl_iterate_phdr(note_module, &lowest);
    storage.size = lab_state->host_storage - lowest;
    storage.image = malloc(2 * storage.size + 1);
    storage.main_image = storage.image + storage.size;
    memcpy(storage.main_image, (char *)lowest, storage.size);
    uint64_t fresh = make_storage(1);
    if (!fresh) give_up("no memory for the threads' variables");
    lab_state->fibers[1].storage = fresh;
    set_storage_pointer(fresh);
    init_ctype();
    set_storage_pointer(lab_state->host_storage);
    memcpy(storage.image, (char *)fresh - storage.size, storage.size);
    lab_state->storage_size = storage.size;
}

void lab_make_fibers(void) {
    is_own_process = lab_map(PAGE, 0);
    if (is_own_process == MAP_FAILED || madvise(is_own_process, PAGE, MADV_WIPEONFORK) != 0) {
        give_up("no memory that tells copies of the process apart");
    }
    storage.is_fast = (getauxval(AT_HWCAP2) & 2) != 0;
    storage.allocate_storage = (void *(*)(void *))lab_find(RTLD_DEFAULT, "_dl_allocate_tls");
    void (*init_ctype)(void) = (void (*)(void))lab_find(RTLD_DEFAULT, "__ctype_init");
    if (!storage.allocate_storage || !init_ctype) {
        give_up("this version of the C library is not supported: it has no '_dl_allocate_tls'");
    }
    lab_below = lab_map(PAGE, 0);
    if (lab_below == MAP_FAILED) give_up("no memory for what is shown");
    lab_state->destroy_variables = (void (*)(void))lab_find(RTLD_DEFAULT, "__call_tls_dtors");
    lab_state->host_storage = storage_pointer();
    storage.number_offset = find_number(lab_state->host_storage);
    if (!lab_make_stacks()) give_up("no memory for the threads' stacks");
    make_images(init_ctype);
}

// MARK: - Switching

compiled_request_t *lab_resume_fiber(uint32_t thread, int64_t result) {
    fiber_t *fiber = &lab_state->fibers[thread];
    // An execution that is played continues in copies of its process, which the engine makes.
    lab_begin_process();
    lab_state->result = result;
    lab_state->current = (int)thread;
    set_storage_pointer(fiber->storage);
    switch_stack(&lab_state->host_stack_pointer, fiber->stack_pointer);
    set_storage_pointer(lab_state->host_storage);
    lab_state->current = -1;
    return &lab_state->request;
}

void lab_begin_process(void) {
    if (*is_own_process) return;
    *is_own_process = 1;
    lab_state->process = (int)syscall(SYS_getpid);
}

void lab_leave_copy(void) {
    if (*is_own_process) return;
    static const char text[] = "threadlab: a process that the program has made by a system call of its own ends here\n";
    syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
    REAL(_exit, void, int)(3);
}

// Before each step of the program; the look is one, too.
static int looks_for_signals(const fiber_t *fiber, const compiled_request_t *request) {
    if (fiber->held || request->kind > compiled_destroy || request->kind == compiled_choose) return 0;
    return request->object != (uint64_t)&fiber->cancellation.requests && lab_can_be_signalled();
}

int64_t lab_ask(compiled_request_t request) {
    lab_leave_copy();
    // The locks that the runtime makes something of are not taken again by what a signal's handler calls.
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    int is_pause = request.kind == compiled_yield || (request.kind == compiled_sleep && lab_state->program.has_free_time);
    if (!request.watch && !is_pause) lab_disturb();
    if (fiber->quiet.count && !lab_state->is_pause) fiber->quiet = (quiet_t){0};
    fiber->pauses = lab_state->is_pause ? fiber->pauses + 1 : 0;
    if (!is_pause && !request.watch && request.kind != compiled_read_clock && request.kind != compiled_sleep) fiber->idle_reads = 0;
    lab_state->work = lab_state->is_pause = 0;
    int is_own_lock = request.detail == compiled_part || request.detail == compiled_futex;
    if (is_own_lock && request.kind == compiled_lock) fiber->held++;
    else if (looks_for_signals(fiber, &request)) lab_look_for_signals(request.site);
    if (lab_state->is_pipe_broken && !fiber->held) lab_take_broken_pipe(request.site);
    if (is_own_lock && request.kind == compiled_unlock && fiber->held) fiber->held--;
    // A lock whose memory is freed, or is on the stack of a thread that ends, is used at the same time as its memory.
    int is_lock = request.kind <= compiled_unlock_shared || request.kind == compiled_destroy;
    if (is_lock && lab_state->unjoined > 1 &&
        (lab_is_in_heap(request.object) || lab_is_on_others_stack(request.object))) {
        request.size = 1;
        lab_note_atomic((void *)request.object, 1, 0);
    }
    fiber->live_stack = request.site == fiber->caller_site ? fiber->caller_stack : 0;
    fiber->caller_site = 0;
    lab_state->request = request;
    switch_stack(&lab_state->fibers[lab_state->current].stack_pointer, lab_state->host_stack_pointer);
    return lab_state->result;
}

void lab_pause(uint64_t site) {
    lab_state->work = 0;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    // A library whose code calls the program's, or releases memory for it, may hold a lock of its own.
    if (lab_state->unjoined < 2 || fiber->pauses >= MOST_PAUSES || fiber->held || fiber->release_site) return;
    lab_state->is_pause = 1;
    lab_ask((compiled_request_t){.kind = compiled_yield, .site = site});
    lab_test_asynchronous(site);
}

int64_t lab_use(compiled_request_t request) {
    lab_check_use(request.object, 1, request.site);
    int64_t answer = lab_ask(request);
    // Another thread may have freed it before the step.
    lab_check_use(request.object, 1, request.site);
    return answer;
}

_Noreturn void lab_end_at_limit(const char *text, uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
    abort();
}

static void fiber_main(void) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    // What the engine's own calls have left there is nothing that the program finds.
    errno = 0;
    if (lab_state->current == 0) lab_exit(lab_run_main(), 0);
    void *argument = fiber->argument;
    fiber->argument = NULL;
    void *result = fiber->body(argument);
    // A thread that takes no step handles signals, too.
    lab_look_first((uint64_t)fiber->body);
    lab_end_thread(result);
}

// In memory that is not put back.
static uint64_t make_storage_outside(int thread) {
    int running = lab_state->current;
    lab_state->current = -1;
    uint64_t made = make_storage(thread);
    lab_state->current = running;
    if (!made) give_up("no memory for a thread's variables");
    return made;
}

void lab_begin_fiber(int thread, void *(*body)(void *), void *argument) {
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
    fiber->cleanup = NULL;
    fiber->cancellation = (cancellation_t){0};
    fiber->rounds = (rounds_t){0};
    fiber->quiet = (quiet_t){0};
    fiber->pauses = 0;
    fiber->random_count = 0;
    fiber->time = 0;
    fiber->time_reads = fiber->idle_reads = 0;
    fiber->condition = NULL;
    fiber->lock = NULL;
    fiber->robust = NULL;
    fiber->is_stirred = 0;
    fiber->has_left = fiber->end_waiters = 0;
    fiber->futex = 0;
    fiber->held = 0;
    fiber->release_site = 0;
    fiber->has_returned = 0;
    fiber->caller_site = fiber->live_stack = 0;
    fiber->signal_stack = (stack_t){0};
    fiber->name[0] = 0;
    fiber->policy = fiber->priority = fiber->nice = fiber->has_processors = 0;
    memset(fiber->values, 0, (size_t)lab_state->most_keys * sizeof *fiber->values);
    lab_clear_stack(fiber);
    lab_spoil_stack(thread);
    // As a call leaves it, and below that what the switch takes up.
    void **stack = (void **)(fiber->stack + STACK) - 1;
    *stack = NULL;
    *--stack = (void *)fiber_main;
    stack -= 6;
    memset(stack, 0, 6 * sizeof *stack);
    fiber->stack_pointer = stack;
}

int lab_thread_of(pthread_t handle) {
    if ((uint64_t)handle == lab_state->host_storage) return 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (lab_state->fibers[thread].storage == (uint64_t)handle) return thread;
    }
    return -1;
}

#endif
