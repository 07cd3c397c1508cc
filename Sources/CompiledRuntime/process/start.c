// How a program starts: as usual or, if the tool has started it, with the engine in its process. Then the runtime loads
// the engine instead of calling main, and the engine runs main once in each execution.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

// By this section the tool recognizes a program that was built with threadlab, and by which version of it. `retain`
// keeps the section when the linker drops what nothing uses (--gc-sections).
__attribute__((section(".threadlab"), used, retain)) static const uint32_t version = COMPILED_VERSION;

static int argument_count;
static char **arguments, **environment;

// MARK: - Executions

static void run_main(void) {
    // The engine's own calls may have changed errno.
    errno = 0;
    lab_run_constructors(argument_count, arguments, environment);
    lab_exit(lab_program_main(argument_count, arguments, environment), 0);
}

static void begin_main_thread(void) {
    lab_state->unjoined = lab_state->unended = 1;
    lab_state->thread_count = 1;
    lab_begin_fiber(0, run_main, NULL, NULL);
}
LAB_PHASE(lab_before_execution, LAB_LATE, begin_main_thread);

static void begin(int learns) {
    static int is_first = 1;
    if (is_first) {
        is_first = 0;
        lab_run(lab_before_all);
    }
    lab_state->learns = learns;
    lab_clear_variables_of_execution();
    lab_run(lab_before_execution);
}
LAB_OFFER(begin, begin);

static void end(void) { lab_run(lab_after_execution); }
LAB_OFFER(end, end);

// MARK: - The program's words

// Copies arguments or variables to the program's memory, which is restored after each execution: a program may change
// them.
static char **copy_words(char **words) {
    size_t count = 0;
    while (words[count]) count++;
    char **copies = malloc((count + 1) * sizeof *copies);
    for (size_t i = 0; i < count; i++) copies[i] = strdup(words[i]);
    copies[count] = NULL;
    return copies;
}

// Removes the tool's environment variables, which the program must not see.
static void put_environment_back(void) {
    const char *preloaded = getenv(COMPILED_PRELOAD_VARIABLE);
    if (preloaded && *preloaded) setenv("LD_PRELOAD", preloaded, 1);
    if (preloaded && !*preloaded) unsetenv("LD_PRELOAD");
    unsetenv(COMPILED_PRELOAD_VARIABLE);
    unsetenv(COMPILED_CONSTRUCTORS_VARIABLE);
    unsetenv(COMPILED_LIBRARIES_VARIABLE);
    unsetenv(COMPILED_ENGINE_VARIABLE);
    unsetenv(COMPILED_WORDS_VARIABLE);
}
// After load_libraries, which reads one of them.
LAB_PHASE(lab_at_start, LAB_FIRST + 1, put_environment_back);

static void keep_words(void) {
    arguments = copy_words(arguments);
    // The environment is on the process's first stack, which is not restored.
    environment = environ = copy_words(environ);
}
LAB_PHASE(lab_at_start, LAB_EARLY, keep_words);

// MARK: - The start

// Exit code 3: threadlab cannot run the program.
static _Noreturn void refuse(const char *what, const char *why) {
    fprintf(stderr, "threadlab: %s: %s\n", what, why ? why : "unknown error");
    _exit(3);
}

// Runs instead of main, after the constructors of libraries and, as a rule, of the program (constructors.c): loads the
// engine, whose entry point does not return.
static int host(int count, char **words, char **variables) {
    (void)variables;
    char *path = strdup(getenv(COMPILED_ENGINE_VARIABLE));
    char *command = strdup(getenv(COMPILED_WORDS_VARIABLE));
    argument_count = count;
    arguments = words;
    lab_run(lab_at_start);
    state_t *made = lab_map(sizeof *made + lab_variables_size(), MAP_NORESERVE);
    if (made == MAP_FAILED) refuse("cannot run the program under the engine", "no memory");
    made->current = -1;
    void *engine = dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
    if (!engine) refuse("cannot load the engine", dlerror());
    compiled_entry_t entry = (compiled_entry_t)lab_find(engine, COMPILED_ENTRY);
    if (!entry) refuse("cannot load the engine", dlerror());
    lab_state = made;
    lab_place_variables((char *)(made + 1));
    // All threads of the program run on one OS thread, so libraries would take the process for single-threaded, and
    // count references without atomic operations.
    __libc_single_threaded = 0;
    lab_run(lab_with_engine);
    lab_state->program.version = COMPILED_VERSION;
    lab_state->program.most_threads = MOST_THREADS;
    lab_make_offers(&lab_state->program);
    entry(&lab_state->program, command);
    _exit(3);
}

typedef int (*start_t)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

// Replaces the C library's function that a program's entry point calls with main.
EXPORTED int __libc_start_main(
    int (*main)(int, char **, char **), int count, char **words, void (*init)(void), void (*fini)(void),
    void (*loader_fini)(void), void *stack_end) {
    start_t start = (start_t)lab_find(RTLD_NEXT, "__libc_start_main");
    int is_hosted = getenv(COMPILED_ENGINE_VARIABLE) && getenv(COMPILED_WORDS_VARIABLE);
    lab_program_main = main;
    if (is_hosted) {
        lab_find_phases();
        lab_run(lab_at_load);
    }
    if (is_hosted && lab_take_constructors((void (*)(void))init)) init = NULL;
    return start(is_hosted ? host : main, count, words, init, fini, loader_fini, stack_end);
}

#endif
