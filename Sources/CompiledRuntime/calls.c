// By which calls a thread that waits for the engine got to where it is: read from its stack, which is not changed.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <unwind.h>

typedef struct {
    uint64_t *addresses;
    uint32_t count, most;
} walk_t;

void lab_leave_walk(void) {
    if (lab_state && lab_state->way_out) __builtin_longjmp(lab_state->way_out, 1);
}

static _Unwind_Reason_Code note_call(struct _Unwind_Context *context, void *memory) {
    walk_t *walk = memory;
    int is_before = 0;
    uint64_t address = _Unwind_GetIPInfo(context, &is_before);
    if (lab_is_runtime_code(address)) return _URC_NO_REASON;
    if (!address || walk->count == walk->most) return _URC_NORMAL_STOP;
    // As of a call, where the address comes after the instruction; a fault has it before.
    walk->addresses[walk->count++] = address + (uint64_t)is_before;
    return _URC_NO_REASON;
}

// Called on the engine's stack, which is said to have been called by the suspended thread.
__attribute__((used, visibility("hidden"))) void lab_walk_calls(walk_t *walk) {
    void *registers[5];
    if (!__builtin_setjmp(registers)) {
        lab_state->way_out = registers;
        _Unwind_Backtrace(note_call, walk);
    }
    lab_state->way_out = NULL;
}

// Where the switch of stacks has put the thread's registers, as unwinding finds them.
void lab_walk(const void *stack_pointer, walk_t *walk);
__asm__(".pushsection lab_text,\"ax\",@progbits\n.hidden lab_walk\n.globl lab_walk\n.type lab_walk, @function\nlab_walk:\n"
        ".cfi_startproc\npushq %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbx, -16\nmovq %rdi, %rbx\n"
        ".cfi_remember_state\n.cfi_def_cfa %rbx, 56\n.cfi_offset %rbp, -16\n.cfi_offset %rbx, -24\n.cfi_offset %r12, -32\n"
        ".cfi_offset %r13, -40\n.cfi_offset %r14, -48\n.cfi_offset %r15, -56\n"
        "movq %rsi, %rdi\ncall lab_walk_calls\n"
        ".cfi_restore_state\npopq %rbx\n.cfi_adjust_cfa_offset -8\nret\n"
        ".cfi_endproc\n.size lab_walk, . - lab_walk\n.popsection\n");

uint32_t lab_calls(uint32_t thread, uint64_t *addresses, uint32_t most) {
    walk_t walk = {addresses, 0, most};
    lab_walk(lab_state->fibers[thread].stack_pointer, &walk);
    return walk.count;
}

// The first unwinding initializes what all others use. If that were done while an execution is shown, the program would find it done, and take
// other steps than in the search.
void lab_begin_calls(void) {
    uint64_t address;
    walk_t walk = {&address, 0, 1};
    _Unwind_Backtrace(note_call, &walk);
}

#endif
