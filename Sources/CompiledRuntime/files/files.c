// Restores the process's descriptors after an execution: those that it has opened are closed, and standard ones that it
// has closed are opened again.
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
    // threadlab's own files get numbers from here on, or lower ones if the system allows few files (reservable_count).
    // How many files it opens differs between processes, but the program has to get the same, lowest numbers in each.
    MOST_RESERVED = 128,
};

// While the engine opens its files, all descriptors below this number are open (reserve_files).
static unsigned reserved_count = STANDARD_COUNT;

// The lowest number above all descriptors that are open before the first execution. Lower ones belong to threadlab, or
// were given to the program, or were free.
static unsigned first_new_file;
// By descriptor: whether it was open when the program started, and so belongs to the program.
static uint8_t is_given[MOST_FILES];
// Copies of the standard descriptors. -1: the descriptor was closed when the program started.
static int kept[STANDARD_COUNT];

typedef struct {
    // By descriptor: whether it is threadlab's; and the argument of the system call that finds this out.
    uint8_t are_own[MOST_FILES];
    struct pollfd looked_at[MOST_FILES];
} look_t;
LAB_KEPT(look_t, looked);
// Whether this execution has found out which descriptors are threadlab's.
LAB_EACH_EXECUTION(int, has_looked);

// The number of descriptors to reserve: a quarter of what the system allows, and at most MOST_RESERVED.
static unsigned reservable_count(void) {
    struct rlimit limit;
    if (syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) != 0) return STANDARD_COUNT;
    rlim_t quarter = limit.rlim_cur / 4;
    return quarter < MOST_RESERVED ? (unsigned)quarter : MOST_RESERVED;
}

// Opens /dev/null at all descriptors to reserve that are free.
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
// Before threadlab opens files that stay open.
LAB_PHASE(lab_at_start, LAB_ANY + 1, reserve_files);

// Closes what reserve_files has opened.
static void release_files(void) {
    // Closes the ranges between descriptors that were given. The last range ends at reserved_count.
    unsigned first = STANDARD_COUNT;
    for (unsigned file = STANDARD_COUNT; file <= reserved_count; file++) {
        if (file < reserved_count && !is_given[file]) continue;
        if (first < file) syscall(SYS_close_range, first, file - 1, 0);
        first = file + 1;
    }
}

// Keeps copies of the standard descriptors, releases the reserved ones, and finds the highest that is open.
static void remember_files(void) {
    for (int file = 0; file < STANDARD_COUNT; file++) kept[file] = fcntl(file, F_DUPFD_CLOEXEC, reserved_count);
    release_files();
    first_new_file = STANDARD_COUNT;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        unsigned number = (unsigned)atoi(entry->d_name);
        if (number >= first_new_file && (int)number != dirfd(folder)) first_new_file = number + 1;
    }
    closedir(folder);
}
LAB_PHASE(lab_before_all, LAB_ANY, remember_files);

// Finds the descriptors that the program has from its start.
static void find_files(void) {
    for (int file = 0; file < MOST_FILES; file++) is_given[file] = syscall(SYS_fcntl, file, F_GETFD) >= 0;
}
// Before threadlab opens any file.
LAB_PHASE(lab_at_start, LAB_ANY, find_files);

int lab_is_given(int file) { return file >= STANDARD_COUNT && is_given[file]; }

int lab_is_own_file(int file) {
    if (!is_controlled() || file < 0 || file >= MOST_FILES) return 0;
    lab_look_at_files();
    return looked->are_own[file];
}

// The number of descriptors that `look` looks at, from 0 on.
static unsigned looked_at_count(void) { return first_new_file < MOST_FILES ? first_new_file : MOST_FILES; }

// Finds threadlab's descriptors: those that are open now, before the execution has opened any, and were not given to
// the program. One call of poll finds which are open.
static void look(void) {
    *has_looked = 1;
    struct pollfd *files = looked->looked_at;
    unsigned count = looked_at_count();
    for (unsigned file = STANDARD_COUNT; file < count; file++) files[file] = (struct pollfd){.fd = (int)file};
    int knows = lab_system(SYS_poll, (uint64_t)(files + STANDARD_COUNT), count - STANDARD_COUNT, 0, 0, 0, 0) >= 0;
    for (unsigned file = STANDARD_COUNT; file < count; file++) {
        int is_open = knows ? !(files[file].revents & POLLNVAL) : lab_system(SYS_fcntl, file, F_GETFD, 0, 0, 0, 0) >= 0;
        looked->are_own[file] = !is_given[file] && is_open;
    }
}

// If all functions that the program calls are known, it opens and closes files only by functions that call
// lab_look_at_files first. Most executions call none of these.
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
    lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = site});
}

void lab_note_closed(int file) {
    if (is_controlled() && file >= 0 && file < STANDARD_COUNT) lab_state->has_closed_standard = 1;
}

// Makes the standard descriptors what they were.
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
    // Closes what the program has opened: the descriptors between those that were given and threadlab's, and all above.
    unsigned first = STANDARD_COUNT, count = looked_at_count();
    for (unsigned file = STANDARD_COUNT; file < count; file++) {
        if (!is_given[file] && !looked->are_own[file]) continue;
        if (first < file) syscall(SYS_close_range, first, file - 1, 0);
        first = file + 1;
    }
    if (count < first_new_file) {
        if (first < count) syscall(SYS_close_range, first, count - 1, 0);
        first = first_new_file;
    }
    syscall(SYS_close_range, first, ~0u, 0);
}
LAB_PHASE(lab_after_execution, LAB_ANY, close_files);

#endif
