// The constructors of the program's file, which run before main. Usually they run once, before the engine is loaded. If
// one of them starts a thread, the process starts again, and from then on these constructors are part of each
// execution, like main.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef void (*constructor_t)(int, char **, char **);

static struct {
    constructor_t *functions;
    size_t count;
    // In a program that was linked with a C library before 2.34: its own function that calls all constructors.
    constructor_t all;
} taken;

// Finds the array of constructors, and stores in `memory` the dynamic section's entry with the array's size.
static int find_array(struct dl_phdr_info *module, size_t size, void *memory) {
    (void)size;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        if (module->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        for (ElfW(Dyn) *entry = (ElfW(Dyn) *)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr); entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_INIT_ARRAY) taken.functions = (constructor_t *)(module->dlpi_addr + entry->d_un.d_ptr);
            if (entry->d_tag == DT_INIT_ARRAYSZ) *(ElfW(Dyn) **)memory = entry;
        }
    }
    // Nonzero ends the iteration: the first module is the program, and no other is wanted.
    return 1;
}

int lab_take_constructors(void (*all)(void)) {
    if (!getenv(COMPILED_CONSTRUCTORS_VARIABLE)) return 0;
    taken.all = (constructor_t)(void *)all;
    if (all) return 1;
    ElfW(Dyn) *size = NULL;
    dl_iterate_phdr(find_array, &size);
    if (!taken.functions || !size) return 1;
    taken.count = size->d_un.d_val / sizeof *taken.functions;
    // The C library reads the array's size from this entry: with 0, it calls no constructors. The loader may have made
    // the entry read-only.
    void *page = (void *)((uintptr_t)size & ~(uintptr_t)(PAGE - 1));
    syscall(SYS_mprotect, page, 2 * PAGE, PROT_READ | PROT_WRITE);
    size->d_un.d_val = 0;
    return 1;
}

// Calls the constructors that lab_take_constructors has found.
void lab_run_constructors(int count, char **words, char **variables) {
    if (taken.all) taken.all(count, words, variables);
    for (size_t i = 0; i < taken.count; i++) taken.functions[i](count, words, variables);
}

// MARK: - Starting the process again

static _Noreturn void refuse(const char *why) {
    static const char begin[] = "threadlab: a thread is started before 'main', ";
    syscall(SYS_write, STDERR_FILENO, begin, sizeof begin - 1);
    syscall(SYS_write, STDERR_FILENO, why, strlen(why));
    _exit(2);
}

void lab_begin_again_for_threads(void) {
    if (lab_state || !lab_is_hosted()) return;
    lab_leave_library();
    if (getenv(COMPILED_CONSTRUCTORS_VARIABLE)) refuse("by a library's constructor, which is not supported\n");
    lab_begin_again(COMPILED_CONSTRUCTORS_VARIABLE "=1");
    refuse("and the program cannot begin again\n");
}

#endif
