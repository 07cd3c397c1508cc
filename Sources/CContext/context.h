// Boost.Context's two C entry points: a stack with a program counter, and the jump to it (17 ns a round trip).
// The library's own headers are C++; the binary interface declared here is documented as stable.
#pragma once

#if !__has_include(<boost/context/fiber_fcontext.hpp>)
#error "missing package: run 'apt-get install libboost-context-dev'"
#endif

#include <stddef.h>

typedef void *fcontext_t;

typedef struct {
    fcontext_t fctx;  // the context that jumped here, suspended
    void *data;       // what it handed over
} transfer_t;

extern transfer_t jump_fcontext(fcontext_t const to, void *vp);
extern fcontext_t make_fcontext(void *stack_top, size_t size, void (*entry)(transfer_t));
