// Libraries that the program loads while it runs, by dlopen, or the C library for it. The loader maps them where it likes, and what it does is not
// put back. So an execution that has loaded some leaves their names; the process begins again, loads them before its memory is remembered, and
// keeps them: executions then find them loaded.
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

enum { MOST = 1 << 16 };
// In names of files it is not supported. A name that begins with the mark is that of one that executions have to load themselves.
static const char SEPARATOR = '\n', MARK = '-';
static const char prefix[] = COMPILED_LIBRARIES_VARIABLE "=";

// After its prefix the variable has a letter, the next one each time the process begins again. A program that loads another library in each
// execution, as by a new name, does not make it begin again without end.
static const char FIRST = 'a', LAST = 'p';

// Shared by all processes: a variable of the environment with the names of what is loaded, or was to be, each with a separator behind it.
typedef struct {
    size_t size;
    int has_more;
    char text[MOST];
} names_t;

static names_t *names;
// Found by its name: what the runtime imports, the program would seem to call.
static char *(*find_path)(const char *, char *);
// The last that was there before any execution.
static struct link_map *last;
static const char *loading;
static int is_trial;

static int has_name(const char *name, size_t length) {
    for (const char *at = names->text + sizeof prefix, *end; (end = strchr(at, SEPARATOR)); at = end + 1) {
        const char *known = *at == MARK ? at + 1 : at;
        if ((size_t)(end - known) == length && memcmp(known, name, length) == 0) return 1;
    }
    return 0;
}

static int add_text(const char *text, size_t length) {
    if (length >= MOST - names->size) return 0;
    memcpy(names->text + names->size, text, length);
    names->size += length;
    return 1;
}

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

// Its constructors run before main here. Whether they fail then, or never end, is seen in a process of its own, which has their output, too.
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
    for (int waited = 0; syscall(SYS_wait4, child, &status, waited < MOST_MILLISECONDS ? WNOHANG : 0, NULL) == 0; waited++) {
        syscall(SYS_poll, NULL, 0, 1);
        if (waited + 1 == MOST_MILLISECONDS) syscall(SYS_kill, child, SIGKILL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == IS_LOADED;
}

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

// Those that executions have loaded before the process began again.
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

static int begin_again(void) {
    char *letter = names->text + sizeof prefix - 1;
    if (*letter >= LAST) return 0;
    ++*letter;
    lab_begin_again(names->text);
    return 1;
}

// A thread that its constructors start is under control only in an execution.
void lab_leave_library(void) {
    // A trial that fails says so by its exit code.
    if (is_trial) syscall(SYS_exit_group, 0);
    if (!loading) return;
    char *text = names->text + sizeof prefix - 1 + (loading - getenv(COMPILED_LIBRARIES_VARIABLE));
    if (!add_text(&MARK, 1)) return;
    memmove(text + 1, text, (size_t)(names->text + names->size - 1 - text));
    *text = MARK;
    begin_again();
}

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

// A library that is closed stays.
EXPORTED int dlclose(void *library) {
    if (is_controlled()) return 0;
    return REAL(dlclose, int, void *)(library);
}

#endif
