// Functions of the C library that are called after one of the runtime's has seen the call, with their arguments as they are: some take any number
// of them.
#include "process/state.h"

// Called with the registers of arguments saved: by(name, where the call is from, the first three arguments). Returns the function that is called
// then.
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

// As strcmp, which is replaced.
static inline int is_same(const char *one, const char *other) {
    while (*one && *one == *other) one++, other++;
    return *one == *other;
}
