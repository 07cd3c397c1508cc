// The standard streams of C, as variables of the engine's library itself.
//
// Debian's ncurses for static linking refers to these variables in a way that is possible in a program, which has
// copies of them, but in a shared library only if they are the library's own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#undef stdin
#undef stdout
#undef stderr

__attribute__((visibility("hidden"))) FILE *stdin, *stdout, *stderr;

// Priority 101: before all else that the library runs when it is loaded.
__attribute__((constructor(101))) static void find_streams(void) {
    stdin = *(FILE **)dlsym(RTLD_NEXT, "stdin");
    stdout = *(FILE **)dlsym(RTLD_NEXT, "stdout");
    stderr = *(FILE **)dlsym(RTLD_NEXT, "stderr");
}
