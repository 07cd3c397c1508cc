// setjmp and longjmp with the mask of the thread's signals, which the system does not know: it is kept where the C library would keep that of the
// process.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <setjmp.h>
#include <stdlib.h>

typedef struct __jmp_buf_tag place_t;

// What is kept, if the mask is to be put back. The C library leaves it alone in a place whose mask it has not saved.
typedef struct {
    uint64_t is_own, mask;
} kept_t;
static const uint64_t OWN = 0x7B1AB0C0DE5E7A11;

typedef struct {
    void *function;
    uint64_t saves_mask;
} setjmp_t;

static kept_t *kept(place_t *place) { return (kept_t *)&place->__saved_mask; }

// Returns the C library's function, and what to tell it.
__attribute__((used, visibility("hidden"))) setjmp_t lab_keep_place(place_t *place, int saves_mask) {
    void *function = (void *)REAL(__sigsetjmp, int, place_t *, int);
    if (!is_controlled()) return (setjmp_t){function, (uint64_t)saves_mask};
    // A smaller buffer has no room for a mask.
    if (saves_mask) *kept(place) = (kept_t){.is_own = OWN, .mask = lab_own_mask()};
    else kept(place)->is_own = 0;
    return (setjmp_t){function, 0};
}

// Which returns more than once: it is the C library that does so, to the caller.
__asm__(".pushsection lab_text, \"ax\", @progbits\n"
        ".globl setjmp\n.type setjmp, @function\nsetjmp:\nmovl $1, %esi\njmp lab_setjmp\n.size setjmp, . - setjmp\n"
        ".globl _setjmp\n.type _setjmp, @function\n_setjmp:\nxorl %esi, %esi\njmp lab_setjmp\n.size _setjmp, . - _setjmp\n"
        ".globl __sigsetjmp\n.type __sigsetjmp, @function\n__sigsetjmp:\n"
        "lab_setjmp:\n.cfi_startproc\npushq %rdi\n.cfi_adjust_cfa_offset 8\ncall lab_keep_place\n"
        "popq %rdi\n.cfi_adjust_cfa_offset -8\nmovl %edx, %esi\njmp *%rax\n"
        ".cfi_endproc\n.size __sigsetjmp, . - __sigsetjmp\n.popsection\n");

// Signals that are no longer blocked are handled before it jumps. A handler that it leaves may have interrupted a wait for a condition.
static void leave(place_t *place, uint64_t site) {
    if (!is_controlled()) return;
    lab_state->fibers[lab_state->current].condition = NULL;
    if (kept(place)->is_own == OWN) lab_put_mask_back(kept(place)->mask, site);
}

#define JUMP(name) \
    EXPORTED void name(place_t *place, int value) { \
        leave(place, SITE); \
        REAL(name, void, place_t *, int)(place, value); \
        abort(); \
    }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
EXPORTED void __longjmp_chk(place_t *place, int value);
JUMP(__longjmp_chk)

#endif
