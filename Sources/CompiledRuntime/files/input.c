// Standard input: each execution reads it from where it was at the beginning. The processes of a search are forked and
// would share the position in the file, so each opens it for itself. A pipe can be read only once, so the first process
// that needs it copies all of it into a file in memory (memfd).
//
// This file makes system calls instead of calling library functions: a function that the runtime imports would count as
// one that the program calls.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "libc/forwarded.h"
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// In bytes: how much of a pipe is copied at once, and in all.
enum { BLOCK = 1 << 16, MOST_INPUT = 1 << 28 };

typedef struct {
    dev_t device;
    ino_t number;
} file_t;

static struct {
    // Shared by all processes: the process that copies the input, or how the copying has ended (IS_COPIED and others).
    // 0: it has not begun.
    pid_t *copier;
    // The descriptor of the copy. -1: the input is not copied.
    int copy;
    char *block;
    // The last process that has opened the input for itself. It is in a mapping that is not restored: otherwise each
    // execution would find the first process here.
    pid_t *owner;
    // The position in the file at which each execution begins. -1: the input cannot be read twice.
    off_t start;
    // What each process opens: the input or its copy, in /proc.
    char path[32];
    // Whether the input is a terminal, and whether it is /dev/null.
    int is_terminal, is_nothing;
    // The file that was given, and the copy.
    file_t given, copied;
} input = {.copy = -1, .start = -1};

static const pid_t IS_COPIED = -1, IS_TOO_LONG = -2, HAS_FAILED = -3;

static file_t file_of(const struct stat *status) { return (file_t){status->st_dev, status->st_ino}; }
static int is_same_file(file_t one, file_t other) { return one.device == other.device && one.number == other.number; }

static int is_terminal(void) {
    struct termios settings;
    return syscall(SYS_ioctl, STDIN_FILENO, TCGETS, &settings) == 0;
}

// If the input can be read only once, makes the empty file for its copy. Before processes are forked, because the copy
// that one of them makes is for all.
static void prepare_input(void) {
    struct stat status;
    if (syscall(SYS_fstat, STDIN_FILENO, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) return;
    input.copier = mmap(NULL, sizeof *input.copier, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    input.block = lab_map(BLOCK, 0);
    if (input.copier == MAP_FAILED || input.block == MAP_FAILED) return;
    lab_keep(input.copier, sizeof *input.copier);
    input.copy = (int)syscall(SYS_memfd_create, "standard input", MFD_CLOEXEC);
    if (input.copy >= 0 && syscall(SYS_fstat, input.copy, &status) == 0) input.copied = file_of(&status);
}
// After reserve_files, so that the descriptor of the copy is a high one.
LAB_PHASE(lab_at_start, LAB_ANY + 2, prepare_input);

static void remember_input(void) {
    struct stat status;
    if (syscall(SYS_fstat, STDIN_FILENO, &status) != 0) return;
    input.owner = lab_map(sizeof *input.owner, 0);
    if (input.owner == MAP_FAILED) return;
    input.is_terminal = is_terminal();
    input.is_nothing = S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3); // /dev/null
    input.given = file_of(&status);
    if (S_ISREG(status.st_mode)) {
        input.copy = -1;
        input.start = syscall(SYS_lseek, STDIN_FILENO, 0, SEEK_CUR);
    } else if (input.copy >= 0) {
        input.start = 0;
    }
    snprintf(input.path, sizeof input.path, "/proc/self/fd/%d", input.copy < 0 ? STDIN_FILENO : input.copy);
}
LAB_PHASE(lab_before_all, LAB_ANY, remember_input);

// The next execution then opens the input again (rewind_input).
void lab_share_input(void) {
    if (input.start >= 0) *input.owner = 0;
}

static int is_to_be_copied(void) { return input.copy >= 0 && __atomic_load_n(input.copier, __ATOMIC_ACQUIRE) != IS_COPIED; }

static pid_t process(void) { return (pid_t)lab_system(SYS_getpid, 0, 0, 0, 0, 0, 0); }

// Opens standard input for this process: the copy, if there is one.
static void open_own(void) {
    long own = lab_system(SYS_open, (uint64_t)input.path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
    if (own < 0) return;
    lab_system(SYS_dup2, (uint64_t)own, STDIN_FILENO, 0, 0, 0, 0);
    lab_system(SYS_close, (uint64_t)own, 0, 0, 0, 0, 0);
    *input.owner = process();
}

static void rewind_input(void) {
    if (input.start < 0 || is_to_be_copied()) return;
    if (*input.owner != process()) open_own();
    syscall(SYS_lseek, STDIN_FILENO, input.start, SEEK_SET);
}
LAB_PHASE(lab_before_execution, LAB_ANY, rewind_input);

int lab_give_input_again(void) {
    if (input.copy < 0 || !*input.copier) return 1;
    if (*input.copier != IS_COPIED || syscall(SYS_lseek, input.copy, 0, SEEK_SET) != 0) return 0;
    return syscall(SYS_dup2, input.copy, STDIN_FILENO) == STDIN_FILENO;
}

// MARK: - When the program reads it

static void fail(const char *text, uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
}

static int is_running(pid_t process) { return lab_system(SYS_kill, (uint64_t)process, 0, 0, 0, 0, 0) == 0; }

// Returns true if this process must copy standard input. Otherwise it waits until another process has. If that one
// ended halfway, this one continues.
static int becomes_copier(void) {
    for (;;) {
        pid_t other = __atomic_load_n(input.copier, __ATOMIC_ACQUIRE);
        if (other < 0) return 0;
        int is_free = !other || other == process() || !is_running(other);
        if (is_free && __atomic_compare_exchange_n(input.copier, &other, process(), 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return 1;
        lab_system(SYS_poll, 0, 0, /* milliseconds */ 1, 0, 0, 0);
    }
}

static int64_t read_block(void) {
    while (1) {
        int64_t count = lab_system(SYS_read, STDIN_FILENO, (uint64_t)input.block, BLOCK, 0, 0, 0);
        if (count >= 0 || (errno != EINTR && errno != EAGAIN)) return count;
        // A pipe that does not block (EAGAIN) is tried again after a millisecond.
        lab_system(SYS_poll, 0, 0, errno == EAGAIN, 0, 0, 0);
    }
}

// Copies all of standard input, and stores for the other processes how that has ended.
static void copy_all(void) {
    size_t size = 0;
    pid_t end = IS_COPIED;
    int64_t count;
    for (; end == IS_COPIED && (count = read_block()) > 0; size += (size_t)count) {
        int is_written = lab_system(SYS_write, (uint64_t)input.copy, (uint64_t)input.block, (uint64_t)count, 0, 0, 0) == count;
        if (!is_written || size > MOST_INPUT) end = IS_TOO_LONG;
    }
    if (count < 0) end = HAS_FAILED;
    __atomic_store_n(input.copier, end, __ATOMIC_RELEASE);
}

// Whether descriptor 0 still is standard input: the program may have put another file there.
static int is_given(void) {
    if (!lab_state->has_closed_standard) return 1;
    struct stat status = {0};
    lab_make_writable(&status, sizeof status);
    if (lab_system(SYS_fstat, STDIN_FILENO, (uint64_t)&status, 0, 0, 0, 0) != 0) return 0;
    file_t file = file_of(&status);
    return is_same_file(file, input.given) || is_same_file(file, input.copied);
}

void lab_copy_input(uint64_t site) {
    if (!is_controlled() || input.copy < 0 || !is_given()) return;
    int before = errno;
    if (is_to_be_copied() && becomes_copier()) copy_all();
    pid_t end = __atomic_load_n(input.copier, __ATOMIC_ACQUIRE);
    if (end == IS_TOO_LONG) {
        fail("reads more than 256 MB of a pipe, or more than there is memory for; give it a file: '< FILE'", site);
    }
    if (end == HAS_FAILED) fail("reads standard input, of which the system cannot read all; give it a file: '< FILE'", site);
    if (*input.owner != process()) open_own();
    errno = before;
}

// Opening a pipe again does not give it a new position, so this is a copy of the descriptor.
static int open_as_file(const char *path, int flags) {
    (void)path, (void)flags;
    return (int)lab_system(SYS_dup, STDIN_FILENO, 0, 0, 0, 0, 0);
}

static FILE *open_as_stream(const char *path, const char *mode) {
    int file = open_as_file(path, 0);
    return file < 0 ? NULL : REAL(fdopen, FILE *, int, const char *)(file, mode);
}

void *lab_open_input(const char *path, int is_stream, uint64_t site) {
    static const char *const names[] = {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
    // The first page is never mapped: for such a path, the system reports the error.
    for (size_t i = 0; (uintptr_t)path >= PAGE && i < sizeof names / sizeof *names; i++) {
        if (!is_same(path, names[i]) || input.copy < 0 || !is_given()) continue;
        lab_copy_input(site);
        return is_stream ? (void *)open_as_stream : (void *)open_as_file;
    }
    return NULL;
}

int lab_use_input(uint64_t site) {
    if (!is_controlled() || !is_given()) return 0;
    if (input.is_terminal) fail("reads from the terminal, but each execution reads the same; give it a file: '< FILE'", site);
    lab_copy_input(site);
    // If several threads read, no step decides which of them reads what.
    return (input.start >= 0 || input.is_nothing) && lab_state->unjoined < 2;
}

#endif
