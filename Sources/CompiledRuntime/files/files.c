// The descriptors of files: those that an execution opens are closed after it, and standard ones that it closes are opened again.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    STANDARD_COUNT = 3,
    // The lowest descriptors are the program's: how many threadlab has differs from process to process, and the program should get the same
    // numbers in each, which are those that it gets without threadlab.
    MOST_RESERVED = 128,
};

// Descriptors below that have nothing behind them while the engine opens its own.
static unsigned reserved_count = STANDARD_COUNT;

// Those that are open below belong to threadlab or were given to the program.
static unsigned first_own_file;
// By descriptor: it was given to the program.
static uint8_t is_given[MOST_FILES];
// Copies of the standard descriptors; -1: it is closed.
static int kept[STANDARD_COUNT];

typedef struct {
    // By descriptor: it is threadlab's, and what the system says of it.
    uint8_t are_own[MOST_FILES];
    struct pollfd looked_at[MOST_FILES];
} look_t;
LAB_KEPT(look_t, looked);
// Before that, the execution knows of none.
LAB_EACH_EXECUTION(int, has_looked);

// A part of all that the system allows.
static unsigned reservable_count(void) {
    struct rlimit limit;
    if (syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) != 0) return STANDARD_COUNT;
    return limit.rlim_cur / 4 < MOST_RESERVED ? (unsigned)limit.rlim_cur / 4 : MOST_RESERVED;
}

static void reserve_files(void) {
    unsigned count = reservable_count();
    long nothing = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0) return;
    for (unsigned file = STANDARD_COUNT; file < count; file++) {
        if (!is_given[file] && file != (unsigned)nothing) syscall(SYS_dup3, nothing, file, O_CLOEXEC);
    }
    if (nothing >= (long)count) syscall(SYS_close, nothing);
    reserved_count = count > STANDARD_COUNT ? count : STANDARD_COUNT;
}
// Before threadlab opens any that stay open.
LAB_PHASE(lab_at_start, LAB_ANY + 1, reserve_files);

static void release_files(void) {
    unsigned first = STANDARD_COUNT;
    for (unsigned file = STANDARD_COUNT; file <= reserved_count; file++) {
        if (file < reserved_count && !is_given[file]) continue;
        if (first < file) syscall(SYS_close_range, first, file - 1, 0);
        first = file + 1;
    }
}

static void remember_files(void) {
    for (int file = 0; file < STANDARD_COUNT; file++) kept[file] = fcntl(file, F_DUPFD_CLOEXEC, reserved_count);
    release_files();
    first_own_file = STANDARD_COUNT;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        unsigned number = (unsigned)atoi(entry->d_name);
        if (number >= first_own_file && (int)number != dirfd(folder)) first_own_file = number + 1;
    }
    closedir(folder);
}
LAB_PHASE(lab_before_all, LAB_ANY, remember_files);

static void find_files(void) {
    for (int file = 0; file < MOST_FILES; file++) is_given[file] = syscall(SYS_fcntl, file, F_GETFD) >= 0;
}
// Before threadlab opens any.
LAB_PHASE(lab_at_start, LAB_ANY, find_files);

int lab_is_given(int file) { return file >= STANDARD_COUNT && is_given[file]; }

int lab_is_own_file(int file) {
    if (!is_controlled() || file < 0 || file >= MOST_FILES) return 0;
    lab_look_at_files();
    return looked->are_own[file];
}

static unsigned last_below(void) { return first_own_file < MOST_FILES ? first_own_file : MOST_FILES; }

// What is open now and was not given to the program. One call tells of all.
static void look(void) {
    *has_looked = 1;
    struct pollfd *files = looked->looked_at;
    unsigned count = last_below();
    for (unsigned file = STANDARD_COUNT; file < count; file++) files[file] = (struct pollfd){.fd = (int)file};
    int knows = lab_system(SYS_poll, (uint64_t)(files + STANDARD_COUNT), count - STANDARD_COUNT, 0, 0, 0, 0) >= 0;
    for (unsigned file = STANDARD_COUNT; file < count; file++) {
        int is_open = knows ? !(files[file].revents & POLLNVAL) : lab_system(SYS_fcntl, file, F_GETFD, 0, 0, 0, 0) >= 0;
        looked->are_own[file] = !is_given[file] && is_open;
    }
}

// A program of which it is known what it calls opens and closes files only by functions that are noted: before the first of them is early enough,
// and most executions call none.
static void begin_files(void) {
    if (!lab_state->program.is_known) look();
}
LAB_PHASE(lab_before_execution, LAB_ANY, begin_files);

void lab_look_at_files(void) {
    if (!*has_looked) look();
}

void lab_check_file(int file, uint64_t site) {
    if (!lab_is_own_file(file)) return;
    static const char text[] = "puts a file at a descriptor that threadlab uses: dup, or another number, works";
    lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
}

void lab_note_closed(int file) {
    if (is_controlled() && file >= 0 && file < STANDARD_COUNT) lab_state->has_closed_standard = 1;
}

static void open_standard(void) {
    for (int file = 0; file < STANDARD_COUNT; file++) {
        if (kept[file] >= 0) syscall(SYS_dup2, kept[file], file);
        else syscall(SYS_close, file);
    }
    lab_share_input();
    lab_state->has_closed_standard = 0;
}

static void close_files(void) {
    if (lab_state->has_closed_standard) open_standard();
    if (!*has_looked) return;
    // Those that the program has opened: between the others, and above.
    unsigned first = STANDARD_COUNT, count = last_below();
    for (unsigned file = STANDARD_COUNT; file < count; file++) {
        if (!is_given[file] && !looked->are_own[file]) continue;
        if (first < file) syscall(SYS_close_range, first, file - 1, 0);
        first = file + 1;
    }
    if (count < first_own_file) {
        if (first < count) syscall(SYS_close_range, first, count - 1, 0);
        first = first_own_file;
    }
    syscall(SYS_close_range, first, ~0u, 0);
}
LAB_PHASE(lab_after_execution, LAB_ANY, close_files);

#endif
