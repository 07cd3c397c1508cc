// Defines the standard streams of C as variables of the engine's shared library itself.
//
// The library contains Debian's ncurses for static linking, whose code refers to `stdin` and the like as if they were
// in the same file. That works in a program, which gets copies of the C library's variables, but in a shared library
// only if the library defines them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#undef stdin
#undef stdout
#undef stderr

__attribute__((visibility("hidden"))) FILE *stdin, *stdout, *stderr;

// Priority 101, the first that is allowed: runs before all other constructors of the library.
__attribute__((constructor(101))) static void find_streams(void) {
    stdin = *(FILE **)dlsym(RTLD_NEXT, "stdin");
    stdout = *(FILE **)dlsym(RTLD_NEXT, "stdout");
    stderr = *(FILE **)dlsym(RTLD_NEXT, "stderr");
}
