// Finds the originals of the functions that the runtime replaces. A program that runs as usual, without the engine,
// needs them, and so does the runtime itself.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

void *lab_find(void *library, const char *name) {
    typedef void *(*find_t)(void *, const char *);
    static find_t find;
    // dlsym is replaced, too, but dlvsym is not. Every C library for this processor has the first version of dlsym.
    if (!find) find = (find_t)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (find) return find(library, name);
    fputs("threadlab: the C library has no function 'dlsym'\n", stderr);
    _exit(3);
}

void *lab_real_function(const char *name) {
    void *found = lab_find(RTLD_NEXT, name);
    if (found) return found;
    fprintf(stderr, "threadlab: the C library has no function '%s'\n", name);
    _exit(3);
}

extern lab_real_t __start_lab_reals[], __stop_lab_reals[];

// Looks up all functions before the program's memory is remembered. The results are part of that memory: one that was
// found in an execution would be forgotten after it. Without a C++ library, names of C++ are not looked up.
static void find_real_functions(void) {
    int has_cxx = lab_find(RTLD_DEFAULT, "_ZSt9terminatev") != NULL;
    for (lab_real_t *real = __start_lab_reals; real < __stop_lab_reals; real++) {
        int is_cxx = real->name[0] == '_' && real->name[1] == 'Z';
        // A function that this version of the library does not have is not found here. Then it is not called either.
        if (!real->found && (has_cxx || !is_cxx)) real->found = lab_find(RTLD_NEXT, real->name);
    }
}
LAB_PHASE(lab_with_engine, LAB_FIRST, find_real_functions);

long lab_system(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
    return REAL(syscall, long, long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)(number, a, b, c, d, e, f);
}

#endif
