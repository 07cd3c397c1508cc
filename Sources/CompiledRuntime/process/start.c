// How a program starts: as usual, or, if the tool has asked for it, with the engine in its process, which then runs main as often as
// it likes.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "cxx/layout.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

// By this the tool knows a program that was built for it.
// It stays when the linker drops what nothing uses (--gc-sections).
__attribute__((section(".threadlab"), used, retain)) static const uint32_t version = COMPILED_VERSION;

state_t *lab_state;
int (*lab_program_main)(int, char **, char **);
static int argument_count;
static char **arguments, **environment;

int lab_run_main(void) {
    lab_run_constructors(argument_count, arguments, environment);
    return lab_program_main(argument_count, arguments, environment);
}

static void begin(int learns) {
    static int is_first = 1;
    if (is_first) {
        is_first = 0;
        lab_handle_faults();
        lab_take_broken_pipes();
        lab_remember_files();
        lab_remember_input();
        lab_remember_heap();
        lab_remember_pages();
    }
    lab_rewind_input();
    lab_begin_files();
    lab_state->learns = learns;
    lab_begin_showing();
    lab_state->work = lab_state->is_pause = 0;
    lab_was_pipe_broken();
    lab_begin_process();
    lab_begin_learning();
    lab_begin_cancellations();
    lab_begin_rounds();
    lab_begin_channels();
    lab_begin_descriptors();
    lab_state->unjoined = lab_state->unended = 1;
    lab_state->thread_count = 1;
    lab_begin_fiber(0, NULL, NULL);
    lab_begin_keys();
}

static void end(void) {
    lab_find_libraries();
    lab_put_process_back();
    lab_put_pages_back();
    lab_put_mappings_back();
    lab_put_heap_back();
    lab_end_hiding();
    lab_close_files();
}

static _Noreturn void complain(int code, const char *what, const char *why) {
    fprintf(stderr, "threadlab: %s: %s\n", what, why ? why : "unknown error");
    _exit(code);
}

static _Noreturn void refuse(const char *what, const char *why) { complain(3, what, why); }

// A copy of the words that is in the program's memory, and so put back: a program may change its arguments.
static char **copy_words(char **words) {
    size_t count = 0;
    while (words[count]) count++;
    char **copies = malloc((count + 1) * sizeof *copies);
    for (size_t i = 0; i < count; i++) copies[i] = strdup(words[i]);
    copies[count] = NULL;
    return copies;
}

// What the tool has set is nothing that the program finds.
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

// Runs in place of main, when the program's libraries and its own constructors have been initialized.
static int host(int count, char **words, char **variables) {
    char *path = strdup(getenv(COMPILED_ENGINE_VARIABLE));
    char *command = strdup(getenv(COMPILED_WORDS_VARIABLE));
    lab_load_libraries();
    put_environment_back();
    lab_find_common();
    argument_count = count;
    arguments = copy_words(words);
    // On the first stack it would not be put back.
    environ = copy_words(environ);
    environment = environ;
    (void)variables;
    lab_remember_actions();
    lab_begin_masks();
    lab_find_files();
    lab_reserve_files();
    lab_prepare_input();
    // What is mapped now is the program's; what comes after is not.
    lab_note_libraries();
    lab_find_regions();
    state_t *made = lab_map(sizeof *made, MAP_NORESERVE);
    if (made == MAP_FAILED) refuse("cannot run the program under the engine", "no memory");
    made->current = -1;
    void *engine = dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
    if (!engine) refuse("cannot load the engine", dlerror());
    compiled_entry_t entry = (compiled_entry_t)lab_find(engine, COMPILED_ENTRY);
    if (!entry) refuse("cannot load the engine", dlerror());
    lab_state = made;
    // Otherwise libraries believe that there is one thread, because the system has no other, and count references without atomics.
    __libc_single_threaded = 0;
    lab_find_memory_functions();
    lab_find_noted_functions();
    lab_find_real_functions();
    if (!lab_begin_calls()) complain(2, words[0], "what it says of its functions is damaged (.eh_frame): build it again");
    lab_begin_locales();
    lab_make_fibers();
    lab_make_sites();
    lab_make_mappings();
    lab_make_descriptors();
    lab_begin_leaks();
    lab_find_cancellations();
    lab_state->program.version = COMPILED_VERSION;
    lab_state->program.most_threads = MOST_THREADS;
    lab_state->program.begin = begin;
    lab_state->program.resume = lab_resume_fiber;
    lab_state->program.end = end;
    lab_state->program.take_missed = lab_take_missed;
    lab_state->program.disturb = lab_disturb_thread;
    lab_state->program.stop_watching = lab_stop_watching;
    lab_state->program.die = lab_die;
    lab_state->program.peek = lab_peek;
    lab_state->program.block = lab_heap_block;
    lab_state->program.calls = lab_calls;
    lab_state->program.frames = lab_frames;
    lab_state->program.has_libraries = lab_has_libraries;
    lab_state->program.keep_libraries = lab_keep_libraries;
    lab_state->program.lost = lab_find_lost;
    entry(&lab_state->program, command);
    _exit(3);
}

typedef int (*start_t)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

EXPORTED int __libc_start_main(
    int (*main)(int, char **, char **), int count, char **words, void (*init)(void), void (*fini)(void),
    void (*loader_fini)(void), void *stack_end) {
    start_t start = (start_t)lab_find(RTLD_NEXT, "__libc_start_main");
    int is_hosted = getenv(COMPILED_ENGINE_VARIABLE) && getenv(COMPILED_WORDS_VARIABLE);
    lab_program_main = main;
    if (is_hosted) lab_make_heap(), lab_remember_mask();
    if (is_hosted && lab_take_constructors((void (*)(void))init)) init = NULL;
    return start(is_hosted ? host : main, count, words, init, fini, loader_fini, stack_end);
}

#endif
