// Functions of the C library that use memory of the library in common for all threads, such as gmtime for its result:
// POSIX allows only one thread at a time to call them. Each call counts as a write of that memory, so two calls without
// order are a data race. So are a call and another thread's use of a result that is in this memory.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "libc/forwarded.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The memory that functions have in common: an item for each set of functions.
enum { TIME, TIME_TEXT, WORDS, RANDOM, USERS, GROUPS, HOSTS, TABLE, TERMINAL, ENVIRONMENT, ITEMS };
// The length of "Thu Jan  1 00:00:00 1970", with its newline and the terminating zero.
enum { TEXT_SIZE = 26 };

// What reports call each item.
static const char *const shown[ITEMS] = {
    [TIME] = "result of gmtime()", [TIME_TEXT] = "result of ctime()", [WORDS] = "state of strtok()", [RANDOM] = "state of drand48()",
    [USERS] = "result of getpwnam()", [GROUPS] = "result of getgrnam()", [HOSTS] = "result of gethostbyname()",
    [TABLE] = "table of hsearch()", [TERMINAL] = "result of ttyname()",
    [ENVIRONMENT] = "environment of getenv()",
};

// Where each item is in memory. Null: that is not known, and accesses to the item count as accesses to `word`.
static struct {
    void *memory;
    size_t size;
    uint64_t word;
} shared[ITEMS];

// The functions, and the item that each uses. is_decided: the result follows from what the program has done, so that in
// a program with one thread the schedule decides it. Other results depend on files or on the system.
static const struct {
    const char *name;
    int item, is_decided;
} functions[] = {
    {"gmtime", TIME, 1}, {"localtime", TIME, 0}, {"asctime", TIME_TEXT, 1}, {"ctime", TIME_TEXT, 0}, {"strtok", WORDS, 1},
    {"drand48", RANDOM, 1}, {"lrand48", RANDOM, 1}, {"mrand48", RANDOM, 1}, {"srand48", RANDOM, 1}, {"seed48", RANDOM, 1},
    {"getpwnam", USERS, 0}, {"getpwuid", USERS, 0}, {"getpwent", USERS, 0}, {"getgrnam", GROUPS, 0}, {"getgrgid", GROUPS, 0},
    {"getgrent", GROUPS, 0}, {"gethostbyname", HOSTS, 0}, {"gethostbyaddr", HOSTS, 0}, {"hcreate", TABLE, 1}, {"hsearch", TABLE, 1},
    {"hdestroy", TABLE, 1}, {"ttyname", TERMINAL, 0},
};
enum { COUNT = sizeof functions / sizeof *functions };

// Notes an access to the item.
static void use(int item, int writes, uint64_t site) {
    uint64_t *word = &shared[item].word;
    void *memory = shared[item].memory ? shared[item].memory : word;
    size_t size = shared[item].memory ? shared[item].size : sizeof *word;
    lab_note_named_access(memory, size, writes, site, shown[item], 0);
}

// The C library's functions. Without the engine, each is looked up when it is first called.
static void *originals[COUNT];

// Finds where gmtime stores its result. A forked process calls gmtime: a call in this process would fix the time zone
// before the program can set it.
static void *find_time(void) {
    void **found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) return NULL;
    long child = syscall(SYS_fork);
    if (child == 0) {
        time_t beginning = 0;
        *found = REAL(gmtime, struct tm *, const time_t *)(&beginning);
        syscall(SYS_exit_group, 0);
    }
    if (child > 0) syscall(SYS_wait4, child, NULL, 0, NULL);
    void *time = *found;
    munmap(found, sizeof *found);
    return time;
}

static void find_results(void) {
    struct tm time = {.tm_mday = 1};
    shared[TIME].memory = find_time();
    shared[TIME].size = sizeof(struct tm);
    shared[TIME_TEXT].memory = REAL(asctime, char *, const struct tm *)(&time);
    shared[TIME_TEXT].size = TEXT_SIZE;
    for (int i = 0; i < COUNT; i++) originals[i] = lab_find(RTLD_NEXT, functions[i].name);
}
// Before keep_words: these calls allocate in the program's memory, and the program's words are copied there next.
LAB_PHASE(lab_at_start, LAB_FIRST + 2, find_results);

// Called by the stubs below (FORWARDED). Notes the access to the function's item, and returns the C library's function,
// to which the stub jumps.
__attribute__((used, visibility("hidden"))) void *lab_use_common(const char *name, uint64_t site) {
    int number = 0;
    while (!is_same(name, functions[number].name)) number++;
    if (!originals[number]) originals[number] = lab_real_function(name);
    if (lab_is_runtime_code(site) || !is_controlled()) return originals[number];
    if (!functions[number].is_decided || lab_state->unjoined > 1) lab_note_call(functions[number].name);
    use(functions[number].item, 1, site);
    // ctime makes its text of the result of localtime.
    if (is_same(name, "ctime")) use(TIME, 1, site);
    return originals[number];
}

#define COMMON(name) FORWARDED(name, lab_use_common)

COMMON(gmtime);
COMMON(localtime);
COMMON(asctime);
COMMON(ctime);
COMMON(strtok);
COMMON(drand48);
COMMON(lrand48);
COMMON(mrand48);
COMMON(srand48);
COMMON(seed48);
COMMON(getpwnam);
COMMON(getpwuid);
COMMON(getpwent);
COMMON(getgrnam);
COMMON(getgrgid);
COMMON(getgrent);
COMMON(gethostbyname);
COMMON(gethostbyaddr);
COMMON(hcreate);
COMMON(hsearch);
COMMON(hdestroy);
COMMON(ttyname);

// MARK: - Variants that write their result where the program says

// Notes that the call reads `from` and writes `to`.
static void note_conversion(const void *from, size_t from_size, void *to, size_t to_size, uint64_t site) {
    lab_note_access(from, from_size, 0, site);
    lab_note_access(to, to_size, 1, site);
}

// Notes that the result depends on the time zone, which is in a file.
static void use_time_zone(const char *name) {
    if (is_controlled()) lab_note_call(name);
}

EXPORTED struct tm *gmtime_r(const time_t *moment, struct tm *to) {
    note_conversion(moment, sizeof *moment, to, sizeof *to, SITE);
    return REAL(gmtime_r, struct tm *, const time_t *, struct tm *)(moment, to);
}

EXPORTED struct tm *localtime_r(const time_t *moment, struct tm *to) {
    use_time_zone("localtime_r");
    note_conversion(moment, sizeof *moment, to, sizeof *to, SITE);
    return REAL(localtime_r, struct tm *, const time_t *, struct tm *)(moment, to);
}

EXPORTED char *asctime_r(const struct tm *time, char *to) {
    note_conversion(time, sizeof *time, to, TEXT_SIZE, SITE);
    return REAL(asctime_r, char *, const struct tm *, char *)(time, to);
}

EXPORTED char *ctime_r(const time_t *moment, char *to) {
    use_time_zone("ctime_r");
    note_conversion(moment, sizeof *moment, to, TEXT_SIZE, SITE);
    return REAL(ctime_r, char *, const time_t *, char *)(moment, to);
}

// MARK: - The environment, which many threads may read if none changes it

EXPORTED char *getenv(const char *name) {
    if (is_controlled()) lab_note_access(name, strlen(name) + 1, 0, SITE), use(ENVIRONMENT, 0, SITE);
    return REAL(getenv, char *, const char *)(name);
}

// Counts as a write that may race with calls of getenv, but not with the program's own uses of `environ`.
static void change(const char *name, uint64_t site) {
    if (!is_controlled()) return;
    if (lab_state->unjoined > 1) lab_note_call(name);
    use(ENVIRONMENT, 1, site);
}

EXPORTED int setenv(const char *name, const char *value, int replaces) {
    change("setenv", SITE);
    return REAL(setenv, int, const char *, const char *, int)(name, value, replaces);
}

EXPORTED int unsetenv(const char *name) {
    change("unsetenv", SITE);
    return REAL(unsetenv, int, const char *)(name);
}

EXPORTED int putenv(char *text) {
    change("putenv", SITE);
    return REAL(putenv, int, char *)(text);
}

EXPORTED int clearenv(void) {
    change("clearenv", SITE);
    return REAL(clearenv, int, void)();
}

#endif
