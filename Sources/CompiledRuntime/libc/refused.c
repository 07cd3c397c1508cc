// Functions that the runtime refuses, and functions whose calls it only notes. A call of a refused function ends the
// execution, because the function cannot work under the engine: it makes or replaces a process, makes threads of the C
// library's own, or is for signals or timers. Other calls are noted, because they may keep a search from being a proof.
//
// Stubs pass all arguments on without knowing them: some functions take any number of them, and vfork must return to
// the program directly, not to a function that called it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "libc/forwarded.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int begins(const char *text, const char *part) {
    while (*part && *text == *part) text++, part++;
    return !*part;
}

// Whether the C library makes threads for this function.
static int makes_threads(const char *name) {
    return begins(name, "aio_") || begins(name, "lio_") || is_same(name, "mq_notify") || is_same(name, "getaddrinfo_a");
}

// Called by the stubs below (FORWARDED). Without the engine, returns the C library's function, to which the stub jumps.
__attribute__((used, visibility("hidden"))) void *lab_refuse(const char *name, uint64_t site) {
    if (!is_controlled()) return lab_real_function(name);
    int is_signal = is_same(name, "signalfd") || is_same(name, "sigqueue") || is_same(name, "pthread_sigqueue");
    int is_timer = begins(name, "timer");
    const char *why = is_timer ? "time is virtual"
        : makes_threads(name)  ? "the C library has threads of its own for it"
        : is_signal            ? "signals have no values and no descriptors here"
                               : "it runs one process";
    static char text[128];
    snprintf(text, sizeof text, "calls '%s', which threadlab does not support: %s", name, why);
    lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = site});
    abort();
}

// Functions whose calls are noted. As a rule, the engine learns which functions a program calls from the names that its
// file imports. For these it cannot: either the runtime in that file imports them, too, or each call has to be seen.
static const char *const noted[] = {
    "mprotect", "madvise", "fopen", "fopen64", "opendir", "readdir", "dlsym", "dlmopen",
    "getpid", "vwarn", "vwarnx", "getauxval", "freopen",
};
enum { NOTED_COUNT = sizeof noted / sizeof *noted };
static void *noted_functions[NOTED_COUNT];

// Functions whose calls are noted and are cancellation points: a thread that was cancelled before ends there.
static const char *const points[] = {
    "open", "open64", "openat", "openat64", "creat", "creat64", "fsync", "fdatasync", "pread64", "pwrite", "pwrite64", "preadv",
    "pwritev", "accept4", "connect", "msync", "tcdrain", "lockf",
};
enum { POINT_COUNT = sizeof points / sizeof *points };
static void *point_functions[POINT_COUNT];

// Before memory is protected, because looking a function up writes memory of the C library.
static void find_functions(void) {
    // Null for a function that this C library does not have.
    for (int i = 0; i < NOTED_COUNT; i++) noted_functions[i] = lab_find(RTLD_NEXT, noted[i]);
    for (int i = 0; i < POINT_COUNT; i++) point_functions[i] = lab_find(RTLD_NEXT, points[i]);
}
LAB_PHASE(lab_with_engine, LAB_FIRST, find_functions);

static int opens_path(const char *name) {
    return is_same(name, "fopen") || is_same(name, "fopen64") || is_same(name, "open") || is_same(name, "open64");
}

// Called by the stubs below (FORWARDED). Notes the call, so that nothing is proved of the program. Returns the function
// to which the stub jumps. first, second, third: the call's arguments.
__attribute__((used, visibility("hidden"))) void *lab_pass(
    const char *name, uint64_t site, const char *first, uint64_t second, uint64_t third) {
    // Calls by the runtime itself do not count as the program's.
    int is_of_program = !lab_is_runtime_code(site);
    if (is_of_program) {
        lab_note_call(name);
        lab_note_opening(name, second, third, site);
    }
    if (is_of_program && is_controlled() && opens_path(name)) {
        int is_stream = is_same(name, "fopen") || is_same(name, "fopen64");
        void *opens = lab_open_random(first, is_stream);
        if (!opens) opens = lab_open_input(first, is_stream, site);
        if (opens) return opens;
    }
    // This may close a standard stream, but it is not known which. To note one of them is enough.
    if (is_of_program && is_same(name, "freopen")) lab_note_closed(STDOUT_FILENO);
    for (int i = 0; i < POINT_COUNT; i++) {
        if (!point_functions[i] || !is_same(name, points[i])) continue;
        if (is_of_program) lab_begin_point(site);
        return point_functions[i];
    }
    for (int i = 0; i < NOTED_COUNT; i++) {
        if (noted_functions[i] && is_same(name, noted[i])) return noted_functions[i];
    }
    return lab_real_function(name);
}

// Called by the stubs below (FORWARDED). Notes the call if there are other threads: the function's accesses to memory
// are not known.
__attribute__((used, visibility("hidden"))) void *lab_pass_alone(const char *name, uint64_t site) {
    if (!lab_is_runtime_code(site) && is_controlled() && lab_state->unjoined > 1) lab_note_call(name);
    return lab_real_function(name);
}

// Define the stubs: of a function that is refused, noted, or noted while there are other threads.
#define REFUSED(name) FORWARDED(name, lab_refuse)
#define NOTED(name) FORWARDED(name, lab_pass)
#define NOTED_BESIDE_OTHERS(name) FORWARDED(name, lab_pass_alone)

REFUSED(fork);
REFUSED(vfork);
REFUSED(_Fork);
REFUSED(clone);
REFUSED(execl);
REFUSED(execle);
REFUSED(execlp);
REFUSED(execv);
REFUSED(execve);
REFUSED(execvp);
REFUSED(execvpe);
REFUSED(fexecve);
REFUSED(execveat);
REFUSED(posix_spawn);
REFUSED(posix_spawnp);
REFUSED(system);
REFUSED(popen);
REFUSED(daemon);
REFUSED(signalfd);
REFUSED(sigqueue);
REFUSED(pthread_sigqueue);
REFUSED(timer_create);
REFUSED(timerfd_create);
// The C library performs these with threads that it makes by system calls. Such threads would use the program's memory
// while that is restored. Functions that only ask for a result are refused, too, so that the report names the first of
// these functions that the program calls.
REFUSED(aio_read);
REFUSED(aio_read64);
REFUSED(aio_write);
REFUSED(aio_write64);
REFUSED(aio_fsync);
REFUSED(aio_fsync64);
REFUSED(aio_suspend);
REFUSED(aio_suspend64);
REFUSED(aio_error);
REFUSED(aio_error64);
REFUSED(aio_return);
REFUSED(aio_return64);
REFUSED(aio_cancel);
REFUSED(aio_cancel64);
REFUSED(lio_listio);
REFUSED(lio_listio64);
REFUSED(mq_notify);
REFUSED(getaddrinfo_a);

NOTED_BESIDE_OTHERS(getopt);
NOTED_BESIDE_OTHERS(getopt_long);
NOTED_BESIDE_OTHERS(getopt_long_only);
NOTED_BESIDE_OTHERS(qsort);
NOTED_BESIDE_OTHERS(bsearch);
NOTED_BESIDE_OTHERS(setbuf);
NOTED_BESIDE_OTHERS(setvbuf);
NOTED_BESIDE_OTHERS(setlinebuf);

NOTED(mprotect);
NOTED(madvise);
NOTED(open);
NOTED(openat);
NOTED(open64);
NOTED(openat64);
NOTED(creat);
NOTED(creat64);
NOTED(fsync);
NOTED(fdatasync);
NOTED(pread64);
NOTED(pwrite);
NOTED(pwrite64);
NOTED(preadv);
NOTED(pwritev);
NOTED(accept4);
NOTED(connect);
NOTED(msync);
NOTED(tcdrain);
NOTED(lockf);
NOTED(fopen);
NOTED(fopen64);
NOTED(opendir);
NOTED(readdir);
NOTED(dlsym);
NOTED(dlmopen);
NOTED(getpid);
NOTED(vwarn);
NOTED(vwarnx);
NOTED(getauxval);
NOTED(freopen);

#endif
