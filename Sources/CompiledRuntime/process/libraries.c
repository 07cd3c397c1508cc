// Libraries that are loaded in an execution, by the program with dlopen or by the C library. The loader chooses their
// addresses, and its work is not undone after the execution. So their names are kept, and the process starts again and
// loads them in advance, before the program's memory is remembered: then all executions find them loaded.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The maximum size of the environment variable with the names, in bytes.
enum { MOST_TEXT = 1 << 16 };
// In the variable, the separator follows each name, and the mark precedes the name of a library that must not be loaded
// in advance. Libraries whose names contain the separator are not loaded in advance either.
static const char SEPARATOR = '\n', MARK = '-';
static const char prefix[] = COMPILED_LIBRARIES_VARIABLE "=";

// The variable's value begins with a letter, which counts how often the process has started again: 'a' is 0. At the
// last letter, the process does not start again: a program may load a library with a new name in each execution.
static const char FIRST = 'a', LAST = 'p';

// Shared by all processes. text: the environment variable, "NAME=VALUE", with the names of all libraries that
// executions have loaded. size: the bytes of the text. has_more: whether executions have added names since the process
// started.
typedef struct {
    size_t size;
    int has_more;
    char text[MOST_TEXT];
} names_t;

static names_t *names;
// realpath. It is looked up by its name, because an import of the runtime would count as a function that the program
// uses.
static char *(*find_path)(const char *, char *);
// The last file in the loader's list before any execution.
static struct link_map *last;
// While load_all loads a library: the position of its name in the environment variable. is_trial: whether this process
// only tries to load one (can_be_loaded).
static const char *loading;
static int is_trial;

// Whether the text has this name, with or without a mark.
static int has_name(const char *name, size_t length) {
    for (const char *at = names->text + sizeof prefix, *end; (end = strchr(at, SEPARATOR)); at = end + 1) {
        const char *known = *at == MARK ? at + 1 : at;
        if ((size_t)(end - known) == length && memcmp(known, name, length) == 0) return 1;
    }
    return 0;
}

// Appends to the text. Returns false if there is no room.
static int add_text(const char *text, size_t length) {
    if (length >= MOST_TEXT - names->size) return 0;
    memcpy(names->text + names->size, text, length);
    names->size += length;
    return 1;
}

// Adds the library's full path to the text, unless it is there already.
static void add_name(const char *name) {
    char *whole = find_path(name, NULL);
    size_t length = whole ? strlen(whole) : 0;
    if (whole && !strchr(whole, SEPARATOR) && !has_name(whole, length)) {
        whole[length] = SEPARATOR;
        names->has_more |= add_text(whole, length + 1);
    }
    free(whole);
}

// MARK: - Before the program's memory is remembered

static void *load(const char *name) {
    void *(*open_library)(const char *, int) = (void *(*)(const char *, int))lab_find(RTLD_NEXT, "dlopen");
    return open_library(name, RTLD_NOW);
}

// Loading a library in advance runs its constructors before main, where they may fail or never end. So a child process
// tries it first, with /dev/null as standard input, output and error.
static int can_be_loaded(const char *name) {
    enum { IS_LOADED = 77, MOST_MILLISECONDS = 5000 };
    long child = syscall(SYS_fork);
    if (child < 0) return 0;
    if (child == 0) {
        long nothing = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
        for (int file = 0; file <= STDERR_FILENO; file++) syscall(SYS_dup2, nothing, file);
        loading = NULL;
        is_trial = 1;
        syscall(SYS_exit_group, load(name) ? IS_LOADED : 0);
    }
    int status = 0;
    // Polls the child once per millisecond. One that runs too long is killed, and then awaited.
    for (int waited = 0; syscall(SYS_wait4, child, &status, waited < MOST_MILLISECONDS ? WNOHANG : 0, NULL) == 0; waited++) {
        syscall(SYS_poll, NULL, 0, /* milliseconds */ 1);
        if (waited + 1 == MOST_MILLISECONDS) syscall(SYS_kill, child, SIGKILL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == IS_LOADED;
}

// Loads the libraries named in the variable's value, except those with a mark.
static void load_all(const char *given) {
    for (const char *at = given + 1, *end; (end = strchr(at, SEPARATOR)); at = end + 1) {
        if (*at == MARK) continue;
        char *name = calloc((size_t)(end - at) + 1, 1);
        if (!name) return;
        memcpy(name, at, (size_t)(end - at));
        loading = at;
        if (can_be_loaded(name)) load(name);
        loading = NULL;
        free(name);
    }
}

// If the process was started again, loads in advance the libraries that earlier executions have loaded.
static void load_libraries(void) {
    names = mmap(NULL, sizeof *names, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (names == MAP_FAILED) names = NULL;
    if (!names) return;
    lab_keep(names, sizeof *names);
    find_path = (char *(*)(const char *, char *))lab_find(RTLD_NEXT, "realpath");
    add_text(prefix, sizeof prefix - 1);
    const char *given = getenv(COMPILED_LIBRARIES_VARIABLE);
    if (!given || !*given || !add_text(given, strlen(given))) {
        add_text(&FIRST, 1);
        return;
    }
    load_all(given);
}
LAB_PHASE(lab_at_start, LAB_FIRST, load_libraries);

// Starts the process again, with the next letter. Returns true if that fails, and false at the last letter, at which it
// does not try.
static int begin_again(void) {
    char *letter = names->text + sizeof prefix - 1;
    if (*letter >= LAST) return 0;
    ++*letter;
    lab_begin_again(names->text);
    return 1;
}

// Called when a constructor of the library that is being loaded starts a thread, which can be controlled only in an
// execution. Marks the library, and starts the process again.
void lab_leave_library(void) {
    // In the child process of can_be_loaded: any exit code but IS_LOADED means that the library cannot be loaded.
    if (is_trial) syscall(SYS_exit_group, 0);
    if (!loading) return;
    // Where the library's name is in the copy of the variable.
    char *text = names->text + sizeof prefix - 1 + (loading - getenv(COMPILED_LIBRARIES_VARIABLE));
    if (!add_text(&MARK, 1)) return;
    memmove(text + 1, text, (size_t)(names->text + names->size - 1 - text));
    *text = MARK;
    begin_again();
}

// Finds the last file that is loaded before any execution.
static void note_libraries(void) {
    const struct r_debug *list = lab_find(RTLD_DEFAULT, "_r_debug");
    last = list ? list->r_map : NULL;
    while (last && last->l_next) last = last->l_next;
}
LAB_PHASE(lab_at_start, LAB_ANY, note_libraries);

// MARK: - After an execution

static void find_libraries(void) {
    if (!names || !last) return;
    for (const struct link_map *file = last->l_next; file; file = file->l_next) add_name(file->l_name);
}
LAB_PHASE(lab_after_execution, LAB_FIRST, find_libraries);

int lab_has_loaded(void) { return last && last->l_next; }

static int has_libraries(void) { return names && names->has_more && names->text[sizeof prefix - 1] < LAST; }
LAB_OFFER(has_libraries, has_libraries);

static void keep_libraries(void) {
    if (has_libraries() && lab_give_input_again()) begin_again();
}
LAB_OFFER(keep_libraries, keep_libraries);

// In an execution, libraries stay loaded.
EXPORTED int dlclose(void *library) {
    if (is_controlled()) return 0;
    return REAL(dlclose, int, void *)(library);
}

#endif
