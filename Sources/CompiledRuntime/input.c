// Standard input: each execution reads it from where it was at the beginning. Processes of a search, which are forked, would share the position
// of a file, so each has it opened for itself; and what comes from a pipe can be read once, so the first that wants it copies all of it into
// memory of the system. By system calls: what the runtime imports, the program would seem to call.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <asm/termbits.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, MOST = 1 << 28 };

static struct {
    // Shared by all processes: which of them copies the input, or IS_COPIED.
    pid_t *copier;
    // The descriptor of the copy. -1: none is needed.
    int copy;
    char *block;
    // In memory that is put back it would be the first process's: the process that has the input opened for itself.
    pid_t *owner;
    // Where the input begins. -1: it cannot be read twice.
    off_t start;
    char path[32];
    int is_terminal, is_nothing;
} input = {.copy = -1, .start = -1};

static const pid_t IS_COPIED = -1;

static int is_terminal(void) {
    struct termios settings;
    return syscall(SYS_ioctl, STDIN_FILENO, TCGETS, &settings) == 0;
}

void lab_prepare_input(void) {
    struct stat status;
    if (syscall(SYS_fstat, STDIN_FILENO, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) return;
    input.copier = mmap(NULL, sizeof *input.copier, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    input.block = lab_map(BLOCK, 0);
    if (input.copier == MAP_FAILED || input.block == MAP_FAILED) return;
    lab_keep(input.copier, sizeof *input.copier);
    input.copy = (int)syscall(SYS_memfd_create, "standard input", MFD_CLOEXEC);
}

void lab_remember_input(void) {
    struct stat status;
    if (syscall(SYS_fstat, STDIN_FILENO, &status) != 0) return;
    input.owner = lab_map(sizeof *input.owner, 0);
    if (input.owner == MAP_FAILED) return;
    input.is_terminal = is_terminal();
    input.is_nothing = S_ISCHR(status.st_mode) && !input.is_terminal;
    if (S_ISREG(status.st_mode)) {
        input.copy = -1;
        input.start = syscall(SYS_lseek, STDIN_FILENO, 0, SEEK_CUR);
    } else if (input.copy >= 0) {
        input.start = 0;
    }
    snprintf(input.path, sizeof input.path, "/proc/self/fd/%d", input.copy < 0 ? STDIN_FILENO : input.copy);
}

void lab_share_input(void) {
    if (input.start >= 0) *input.owner = 0;
}

static int is_to_be_copied(void) { return input.copy >= 0 && __atomic_load_n(input.copier, __ATOMIC_ACQUIRE) != IS_COPIED; }

static pid_t process(void) { return (pid_t)lab_system(SYS_getpid, 0, 0, 0, 0, 0, 0); }

// After it was copied, that is where it is read.
static void open_own(void) {
    long own = lab_system(SYS_open, (uint64_t)input.path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
    if (own < 0) return;
    lab_system(SYS_dup2, (uint64_t)own, STDIN_FILENO, 0, 0, 0, 0);
    lab_system(SYS_close, (uint64_t)own, 0, 0, 0, 0, 0);
    *input.owner = process();
}

void lab_rewind_input(void) {
    if (input.start < 0 || is_to_be_copied()) return;
    if (*input.owner != process()) open_own();
    syscall(SYS_lseek, STDIN_FILENO, input.start, SEEK_SET);
}

// MARK: - When the program reads it

static void fail(const char *text, uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
}

static int is_running(pid_t process) { return lab_system(SYS_kill, (uint64_t)process, 0, 0, 0, 0, 0) == 0; }

// Whether this process is the one that copies. Otherwise another one has done so when this returns; one that was ended before continues here.
static int becomes_copier(void) {
    for (;;) {
        pid_t other = __atomic_load_n(input.copier, __ATOMIC_ACQUIRE);
        if (other == IS_COPIED) return 0;
        int is_free = !other || !is_running(other);
        if (is_free && __atomic_compare_exchange_n(input.copier, &other, process(), 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return 1;
        lab_system(SYS_poll, 0, 0, 1, 0, 0, 0);
    }
}

static void copy_all(uint64_t site) {
    size_t size = 0;
    for (int64_t count; (count = lab_system(SYS_read, STDIN_FILENO, (uint64_t)input.block, BLOCK, 0, 0, 0)) > 0; size += (size_t)count) {
        if (size > MOST) return fail("reads more than 256 MB of a pipe; give it a file: '< FILE'", site);
        if (lab_system(SYS_write, (uint64_t)input.copy, (uint64_t)input.block, (uint64_t)count, 0, 0, 0) != count) {
            return fail("reads a pipe for which there is no memory; give it a file: '< FILE'", site);
        }
    }
    __atomic_store_n(input.copier, IS_COPIED, __ATOMIC_RELEASE);
}

int lab_use_input(uint64_t site) {
    if (!is_controlled()) return 0;
    if (input.is_terminal) fail("reads from the terminal, but each execution reads the same; give it a file: '< FILE'", site);
    if (is_to_be_copied() && becomes_copier()) copy_all(site);
    if (input.copy >= 0 && *input.owner != process()) open_own();
    // Which of several threads gets what is not seen.
    return (input.start >= 0 || input.is_nothing) && lab_state->unjoined < 2;
}

#endif
