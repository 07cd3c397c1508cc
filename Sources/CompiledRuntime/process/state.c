// The variables and functions that state.h declares.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

state_t *lab_state;
int (*lab_program_main)(int, char **, char **);

// Reads the environment, because constructors ask before the engine is loaded.
int lab_is_hosted(void) { return lab_state || (getenv(COMPILED_ENGINE_VARIABLE) && getenv(COMPILED_WORDS_VARIABLE)); }

int lab_thread_of(pthread_t handle) {
    // To the program, the main thread is the one that has run its constructors (pthread_self).
    if ((uint64_t)handle == lab_state->host_storage) return 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (lab_state->fibers[thread].storage == (uint64_t)handle) return thread;
    }
    return -1;
}

void lab_give_up(const char *why) {
    fprintf(stderr, "threadlab: %s\n", why);
    _exit(3);
}

#endif
