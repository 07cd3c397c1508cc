// Stubs for functions of the C library whose calls the runtime only has to see. A stub saves all general registers that
// can hold arguments, calls a function of the runtime, restores them, and jumps to the C library's function. So it need
// not know which arguments the function has. None of these functions has floating-point arguments, whose registers a
// stub does not save.
#include "process/state.h"

// Defines the stub for the function `name`. The stub calls by(name, the address of the caller, the first three
// arguments), which returns the function to jump to.
#define FORWARDED(name, by) \
    __asm__(".pushsection .rodata\n.Lname_" #name ": .asciz \"" #name "\"\n.popsection\n" \
            ".pushsection lab_text, \"ax\", @progbits\n.weak " #name "\n.type " #name ", @function\n" #name ":\n" \
            ".cfi_startproc\n" \
            "pushq %rdi\n.cfi_adjust_cfa_offset 8\npushq %rsi\n.cfi_adjust_cfa_offset 8\npushq %rdx\n.cfi_adjust_cfa_offset 8\n" \
            "pushq %rcx\n.cfi_adjust_cfa_offset 8\npushq %r8\n.cfi_adjust_cfa_offset 8\npushq %r9\n.cfi_adjust_cfa_offset 8\n" \
            "pushq %rax\n.cfi_adjust_cfa_offset 8\n" \
            "leaq .Lname_" #name "(%rip), %rdi\nmovq 56(%rsp), %rsi\nmovq 48(%rsp), %rdx\nmovq 40(%rsp), %rcx\nmovq 32(%rsp), %r8\ncall " #by "\nmovq %rax, %r11\n" \
            "popq %rax\n.cfi_adjust_cfa_offset -8\npopq %r9\n.cfi_adjust_cfa_offset -8\npopq %r8\n.cfi_adjust_cfa_offset -8\n" \
            "popq %rcx\n.cfi_adjust_cfa_offset -8\npopq %rdx\n.cfi_adjust_cfa_offset -8\npopq %rsi\n.cfi_adjust_cfa_offset -8\n" \
            "popq %rdi\n.cfi_adjust_cfa_offset -8\njmp *%r11\n" \
            ".cfi_endproc\n.size " #name ", . - " #name "\n.popsection\n")

// Like strcmp, which the runtime replaces.
static inline int is_same(const char *one, const char *other) {
    while (*one && *one == *other) one++, other++;
    return *one == *other;
}
