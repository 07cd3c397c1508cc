// Steps: the running thread makes a request and switches to the engine, which then lets a thread continue, the same or
// another one.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <asm/prctl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
    // The running thread's request, and the engine's answer.
    compiled_request_t request;
    int64_t result;
    // The engine's stack pointer while a thread of the program runs.
    void *host_stack_pointer;
} exchange_t;
LAB_KEPT(exchange_t, exchange);

// Saves the caller's callee-saved registers on its stack and its stack pointer in `*save`, and continues the thread (or
// the engine) that was suspended with the stack pointer `to`. Returns when the caller is continued in the same way.
__attribute__((naked, noinline)) static void switch_stack(void **save, void *to) {
    __asm__ volatile("pushq %rbp\n\tpushq %rbx\n\tpushq %r12\n\tpushq %r13\n\tpushq %r14\n\tpushq %r15\n\t"
                     "movq %rsp, (%rdi)\n\tmovq %rsi, %rsp\n\t"
                     "popq %r15\n\tpopq %r14\n\tpopq %r13\n\tpopq %r12\n\tpopq %rbx\n\tpopq %rbp\n\tretq");
}

// MARK: - Thread-local storage

// Whether a program may set the thread pointer by an instruction (wrfsbase). Otherwise it needs a system call.
static int is_fast;

// HWCAP2_FSGSBASE of the kernel, which says that it allows the instruction.
enum { CAN_SET_BASE = 2 };
static void find_instructions(void) { is_fast = (getauxval(AT_HWCAP2) & CAN_SET_BASE) != 0; }
LAB_PHASE(lab_with_engine, LAB_EARLY, find_instructions);

static inline void set_storage_pointer(uint64_t pointer) {
    if (is_fast) {
        __asm__ volatile("wrfsbase %0" : : "r"(pointer) : "memory");
    } else {
        long result;
        __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_arch_prctl), "D"(ARCH_SET_FS), "S"(pointer) : "rcx", "r11", "memory");
    }
}

void lab_set_storage_pointer(uint64_t pointer) { set_storage_pointer(pointer); }

// MARK: - Processes

// Nonzero in a process in which the engine runs. The page is all zeros in a copy of the process (MADV_WIPEONFORK).
static int *is_own_process;

// A page for lab_show. Its first BELOW bytes are a copy of the memory below the stack pointer. An int after them says
// whether the execution is recorded. BELOW_TEXT: the number BELOW as a text, for assembler code.
#define BELOW 1024
#define TEXT_OF(number) #number
#define EXPANDED_TEXT_OF(macro) TEXT_OF(macro)
#define BELOW_TEXT EXPANDED_TEXT_OF(BELOW)
HIDDEN char *lab_below;

static void make_pages(void) {
    is_own_process = lab_map(PAGE, 0);
    if (is_own_process == MAP_FAILED || madvise(is_own_process, PAGE, MADV_WIPEONFORK) != 0) {
        lab_give_up("no memory that tells copies of the process apart");
    }
    lab_below = lab_map(PAGE, 0);
    if (lab_below == MAP_FAILED) lab_give_up("no memory for what is shown");
}
LAB_PHASE(lab_with_engine, LAB_EARLY, make_pages);

// Notes that the engine runs in this process. Called on the engine's side, before each execution and each step.
static void begin_process(void) {
    if (*is_own_process) return;
    *is_own_process = 1;
    lab_state->process = (int)syscall(SYS_getpid);
}
LAB_PHASE(lab_before_execution, LAB_ANY, begin_process);

// Ends a process that the program has made by a system call of its own, which the engine does not control.
static void leave_copy(void) {
    if (*is_own_process) return;
    static const char text[] = "threadlab: a process that the program has made by a system call of its own ends here\n";
    syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
    REAL(_exit, void, int)(3);
}

// MARK: - Events of recorded executions

// Makes a request that is a note, and waits until the engine continues the thread.
__attribute__((used, visibility("hidden"))) void lab_show_now(compiled_kind_t kind, uint64_t object, uint64_t site) {
    exchange->request = (compiled_request_t){.kind = kind, .object = object, .site = site};
    switch_stack(&lab_state->fibers[lab_state->current].stack_pointer, exchange->host_stack_pointer);
}

// Does nothing in an execution that is not recorded. Otherwise calls lab_show_now, and keeps the memory below the stack
// pointer as it was: what the call leaves there could later be in a frame of the program and look like a pointer.
__attribute__((naked, noinline)) void lab_show(compiled_kind_t kind, uint64_t object, uint64_t site) {
    __asm__ volatile("movq lab_below(%rip), %rax\n\tcmpl $0, " BELOW_TEXT "(%rax)\n\tje 1f\n\t"
                     "movq %rdi, %r8\n\tmovq %rsi, %r9\n\t"
                     "leaq -" BELOW_TEXT "(%rsp), %rsi\n\tmovq lab_below(%rip), %rdi\n\tmovl $" BELOW_TEXT " / 8, %ecx\n\trep movsq\n\t"
                     "movq %r8, %rdi\n\tmovq %r9, %rsi\n\t"
                     "subq $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n\tcall lab_show_now\n\taddq $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n\t"
                     "leaq -" BELOW_TEXT "(%rsp), %rdi\n\tmovq lab_below(%rip), %rsi\n\tmovl $" BELOW_TEXT " / 8, %ecx\n\trep movsq\n\t"
                     "1: retq");
}

static void begin_showing(void) { *(int *)(lab_below + BELOW) = lab_state->program.has_calls; }
LAB_PHASE(lab_before_execution, LAB_ANY, begin_showing);

// MARK: - Steps

// Lets the thread continue, and returns its next request. The processor mispredicts the return after a switch of
// stacks, so no further function lies between this one and switch_stack.
static compiled_request_t *resume(uint32_t thread, int64_t result) {
    fiber_t *fiber = &lab_state->fibers[thread];
    // In 'threadlab play', the engine forks its process during an execution, and continues in the copy.
    begin_process();
    exchange->result = result;
    lab_state->current = (int)thread;
    set_storage_pointer(fiber->storage);
    switch_stack(&exchange->host_stack_pointer, fiber->stack_pointer);
    set_storage_pointer(lab_state->host_storage);
    lab_state->current = -1;
    return &exchange->request;
}
LAB_OFFER(resume, resume);

int64_t lab_ask(compiled_request_t request) {
    leave_copy();
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    lab_run_before_step(fiber, &request);
    fiber->live_stack = request.site == fiber->caller_site ? fiber->caller_stack : 0;
    fiber->caller_site = 0;
    exchange->request = request;
    switch_stack(&fiber->stack_pointer, exchange->host_stack_pointer);
    return exchange->result;
}

_Noreturn void lab_end_at_limit(const char *text, uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = site});
    abort();
}

#endif
