// The standard streams, as the engine's library has them for itself.
//
// Debian's ncurses for static linking refers to them as a program does, which has a copy of its own: in a shared library that is only
// possible if they are part of it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#undef stdin
#undef stdout
#undef stderr

__attribute__((visibility("hidden"))) FILE *stdin, *stdout, *stderr;

// Before anything else of the library runs.
__attribute__((constructor(101))) static void find_streams(void) {
    stdin = *(FILE **)dlsym(RTLD_NEXT, "stdin");
    stdout = *(FILE **)dlsym(RTLD_NEXT, "stdout");
    stderr = *(FILE **)dlsym(RTLD_NEXT, "stderr");
}
