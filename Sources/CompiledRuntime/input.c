// Standard input, if it is a file: each execution reads it from where it was at the beginning. Processes of a search, which are forked, would
// share its position, so each has it opened for itself. By system calls: what the runtime imports, the program would seem to call.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// In memory that is put back it would be the first process's.
static pid_t *owner;
static off_t start = -1;

void lab_remember_input(void) {
    struct stat status;
    if (syscall(SYS_fstat, STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return;
    start = syscall(SYS_lseek, STDIN_FILENO, 0, SEEK_CUR);
    owner = lab_map(sizeof *owner, 0);
    if (owner == (pid_t *)-1) start = -1;
}

void lab_share_input(void) {
    if (start >= 0) *owner = 0;
}

void lab_rewind_input(void) {
    if (start < 0) return;
    if (*owner != getpid()) {
        long own = syscall(SYS_open, "/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
        if (own >= 0) {
            syscall(SYS_dup2, own, STDIN_FILENO);
            syscall(SYS_close, own);
        }
        *owner = getpid();
    }
    syscall(SYS_lseek, STDIN_FILENO, start, SEEK_SET);
}

#endif
