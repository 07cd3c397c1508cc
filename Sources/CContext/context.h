// Contexts of fibers: a context is a suspended computation, with its stack and the address at which it continues. A
// switch suspends one and continues another.
//
// On x86-64 the switch is a few inlined instructions. Executions are 3 to 14 % faster than with Boost.Context's jump,
// which leaves without a return instruction, so that the processor mispredicts every return after it. Other processors,
// and builds with CONTEXT_BOOST defined, use Boost.Context. Its headers are C++, so its binary interface, which is
// documented as stable, is declared here.
#pragma once

#if !__has_include(<boost/context/fiber_fcontext.hpp>)
#error "missing package: run 'apt-get install libboost-context-dev'"
#endif

#include <stddef.h>

// The stack pointer, the frame pointer and the program counter of a suspended context.
typedef struct {
    void *stack, *frame, *counter;
} context_t;

#if defined(__x86_64__) && !defined(CONTEXT_BOOST)

// Makes a context that begins with `entry`, which must not return. `top` is the end of its stack.
static inline void context_make(context_t *context, void *top, size_t size, void (*entry)(void)) {
    (void)size;
    void **stack = (void **)((size_t)top & ~(size_t)15) - 1; // aligned as after a call
    *stack = NULL;
    *context = (context_t){stack, NULL, (void *)entry};
}

// Suspends the caller in `from`, and continues with `to`. Returns when a switch to `from` is made.
//
// Nothing is pushed, since the caller's frame may extend below the stack pointer. The compiler saves the registers,
// which are declared as clobbered. Floating-point modes, such as the direction of rounding, are unchanged.
static inline __attribute__((always_inline)) void context_switch(context_t *from, context_t *to) {
    __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rsp, 0(%%rdi)\n\t"
                     "movq %%rbp, 8(%%rdi)\n\t"
                     "movq %%rax, 16(%%rdi)\n\t"
                     "movq 0(%%rsi), %%rsp\n\t"
                     "movq 8(%%rsi), %%rbp\n\t"
                     "jmpq *16(%%rsi)\n"
                     "1:"
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15"
#if defined(__AVX512F__)
                       , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",
                       "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#endif
    );
}

#else

typedef struct {
    void *context;
    void *data;
} transfer_t;

extern transfer_t jump_fcontext(void *const to, void *data);
extern void *make_fcontext(void *stack_top, size_t size, void (*entry)(transfer_t));

// Both contexts of a switch. The code that is suspended passes them; the code that continues stores where the other
// will continue.
typedef struct {
    context_t *from, *to;
} context_ends_t;

static inline void context_begin(transfer_t arrival) {
    context_ends_t *ends = (context_ends_t *)arrival.data;
    void (*entry)(void) = (void (*)(void))ends->to->counter;
    ends->from->stack = arrival.context;
    entry();
}

static inline void context_make(context_t *context, void *top, size_t size, void (*entry)(void)) {
    *context = (context_t){make_fcontext(top, size, context_begin), NULL, (void *)entry};
}

static inline void context_switch(context_t *from, context_t *to) {
    context_ends_t ends = {from, to};
    transfer_t arrival = jump_fcontext(to->stack, &ends);
    ((context_ends_t *)arrival.data)->from->stack = arrival.context;
}

#endif
