// setjmp and longjmp with the signal masks of the program's threads, which the system does not know. A thread's mask is
// kept in the buffer where the C library would keep the mask of the process.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <setjmp.h>
#include <stdlib.h>

typedef struct __jmp_buf_tag buffer_t;

// What is in the buffer where the C library would store the mask. is_own: OWN if the runtime has stored `mask` there,
// which a jump then restores. The C library does not write here, because the runtime has it save no mask.
typedef struct {
    uint64_t is_own, mask;
} kept_t;
// A number that is not in a buffer by chance.
static const uint64_t OWN = 0x7B1AB0C0DE5E7A11;

// The C library's function, and its second argument.
typedef struct {
    void *function;
    uint64_t saves_mask;
} setjmp_t;

static kept_t *kept(buffer_t *buffer) { return (kept_t *)&buffer->__saved_mask; }

// Stores the thread's mask in the buffer, if it is to be saved. Returns how to call the C library's function.
__attribute__((used, visibility("hidden"))) setjmp_t lab_keep_mask(buffer_t *buffer, int saves_mask) {
    void *function = (void *)REAL(__sigsetjmp, int, buffer_t *, int);
    if (!is_controlled()) return (setjmp_t){function, (uint64_t)saves_mask};
    // Buffers of cleanup handlers are smaller. They save no mask, so only `is_own` is written.
    if (saves_mask) *kept(buffer) = (kept_t){.is_own = OWN, .mask = lab_own_mask()};
    else kept(buffer)->is_own = 0;
    return (setjmp_t){function, 0};
}

// setjmp, _setjmp and __sigsetjmp: call lab_keep_mask, and jump to the C library's function, which returns to their
// caller, perhaps more than once.
__asm__(".pushsection lab_text, \"ax\", @progbits\n"
        ".globl setjmp\n.type setjmp, @function\nsetjmp:\nmovl $1, %esi\njmp lab_setjmp\n.size setjmp, . - setjmp\n"
        ".globl _setjmp\n.type _setjmp, @function\n_setjmp:\nxorl %esi, %esi\njmp lab_setjmp\n.size _setjmp, . - _setjmp\n"
        ".globl __sigsetjmp\n.type __sigsetjmp, @function\n__sigsetjmp:\n"
        "lab_setjmp:\n.cfi_startproc\npushq %rdi\n.cfi_adjust_cfa_offset 8\ncall lab_keep_mask\n"
        "popq %rdi\n.cfi_adjust_cfa_offset -8\nmovl %edx, %esi\njmp *%rax\n"
        ".cfi_endproc\n.size __sigsetjmp, . - __sigsetjmp\n.popsection\n");

// Called before a jump: restores the mask, and handles signals that it no longer blocks. If the jump leaves a signal
// handler that has interrupted a wait for a condition, the thread no longer waits for it.
static void leave(buffer_t *buffer, uint64_t site) {
    if (!is_controlled()) return;
    lab_state->fibers[lab_state->current].condition = NULL;
    if (kept(buffer)->is_own == OWN) lab_put_mask_back(kept(buffer)->mask, site);
}

#define JUMP(name) \
    EXPORTED void name(buffer_t *buffer, int value) { \
        leave(buffer, SITE); \
        REAL(name, void, buffer_t *, int)(buffer, value); \
        abort(); \
    }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
// With _FORTIFY_SOURCE, a call of longjmp becomes one of this function, which no header declares.
EXPORTED void __longjmp_chk(buffer_t *buffer, int value);
JUMP(__longjmp_chk)

#endif
