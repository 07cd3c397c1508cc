// What the program asks of the system: memory into which the kernel writes is made writable first, because the kernel does not wait for a
// page that cannot be written. Files that an execution opens are closed after it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// What there is to read is not the schedule's choice.
EXPORTED ssize_t read(int file, void *memory, size_t size) {
    lab_note_call("read");
    if (is_controlled()) lab_make_writable(memory, size);
    return REAL(read, ssize_t, int, void *, size_t)(file, memory, size);
}

EXPORTED ssize_t pread(int file, void *memory, size_t size, off_t offset) {
    lab_note_call("pread");
    if (is_controlled()) lab_make_writable(memory, size);
    return REAL(pread, ssize_t, int, void *, size_t, off_t)(file, memory, size, offset);
}

EXPORTED size_t fread(void *memory, size_t size, size_t count, FILE *file) {
    size_t bytes;
    lab_note_call("fread");
    if (is_controlled() && !__builtin_mul_overflow(size, count, &bytes)) lab_make_writable(memory, bytes);
    return REAL(fread, size_t, void *, size_t, size_t, FILE *)(memory, size, count, file);
}

EXPORTED ssize_t recv(int socket, void *memory, size_t size, int flags) {
    lab_note_call("recv");
    if (is_controlled()) lab_make_writable(memory, size);
    return REAL(recv, ssize_t, int, void *, size_t, int)(socket, memory, size, flags);
}

EXPORTED int pipe(int ends[2]) {
    lab_note_call("pipe");
    if (is_controlled()) lab_make_writable(ends, 2 * sizeof *ends);
    return REAL(pipe, int, int *)(ends);
}

// MARK: - Files

static unsigned first_own_file;

void lab_remember_files(void) {
    first_own_file = 3;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        unsigned number = (unsigned)atoi(entry->d_name);
        if (number >= first_own_file && (int)number != dirfd(folder)) first_own_file = number + 1;
    }
    closedir(folder);
}

void lab_close_files(void) { syscall(SYS_close_range, first_own_file, ~0u, 0); }

#endif
