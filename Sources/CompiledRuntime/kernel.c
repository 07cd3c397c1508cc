// What the program asks of the system: memory into which the kernel writes is made writable first, because the kernel does not wait for a
// page that cannot be written. Files that an execution opens are closed after it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <dirent.h>
#include <stdio.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/syscall.h>
#include <unistd.h>

// Which bytes can be read is not the schedule's choice.
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

// MARK: - Other calls by which the kernel writes for the program: what, and how much of it

#define WRITES(name, result, parameters, types, arguments, memory, size) \
    EXPORTED result name parameters { \
        lab_note_call(#name); \
        if (is_controlled() && (memory)) lab_make_writable(memory, size); \
        return REAL(name, result, types)arguments; \
    }
#define AND ,
WRITES(getcwd, char *, (char *to, size_t size), char * AND size_t, (to, size), to, size)
WRITES(readlink, ssize_t, (const char *path, char *to, size_t size), const char * AND char * AND size_t, (path, to, size), to, size)
WRITES(stat, int, (const char *path, struct stat *to), const char * AND struct stat *, (path, to), to, sizeof *to)
WRITES(lstat, int, (const char *path, struct stat *to), const char * AND struct stat *, (path, to), to, sizeof *to)
WRITES(fstat, int, (int file, struct stat *to), int AND struct stat *, (file, to), to, sizeof *to)
WRITES(fstatat, int, (int folder, const char *path, struct stat *to, int flags), int AND const char * AND struct stat * AND int,
       (folder, path, to, flags), to, sizeof *to)
WRITES(uname, int, (struct utsname *to), struct utsname *, (to), to, sizeof *to)
WRITES(times, clock_t, (struct tms *to), struct tms *, (to), to, sizeof *to)
WRITES(sysinfo, int, (struct sysinfo *to), struct sysinfo *, (to), to, sizeof *to)
WRITES(getrandom, ssize_t, (void *to, size_t size, unsigned flags), void * AND size_t AND unsigned, (to, size, flags), to, size)
WRITES(pipe2, int, (int ends[2], int flags), int * AND int, (ends, flags), ends, 2 * sizeof *ends)
WRITES(socketpair, int, (int domain, int kind, int protocol, int ends[2]), int AND int AND int AND int *,
       (domain, kind, protocol, ends), ends, 2 * sizeof *ends)
WRITES(poll, int, (struct pollfd *files, nfds_t count, int limit), struct pollfd * AND nfds_t AND int, (files, count, limit), files,
       count * sizeof *files)
WRITES(epoll_wait, int, (int file, struct epoll_event *events, int most, int limit), int AND struct epoll_event * AND int AND int,
       (file, events, most, limit), events, most < 0 ? 0 : (size_t)most * sizeof *events)
WRITES(sched_getaffinity, int, (pid_t process, size_t size, cpu_set_t *to), pid_t AND size_t AND cpu_set_t *, (process, size, to), to, size)

EXPORTED int getrusage(__rusage_who_t kind, struct rusage *to) {
    lab_note_call("getrusage");
    if (is_controlled()) lab_make_writable(to, sizeof *to);
    return REAL(getrusage, int, __rusage_who_t, struct rusage *)(kind, to);
}

// The kernel reads and writes the size of an address, and writes the address.
static void make_address_writable(void *address, socklen_t *size) {
    if (!is_controlled() || !size) return;
    lab_make_writable(size, sizeof *size);
    if (address) lab_make_writable(address, *size);
}

#define WRITES_ADDRESS(name) \
    EXPORTED int name(int socket, __SOCKADDR_ARG address, socklen_t *size) { \
        lab_note_call(#name); \
        make_address_writable(address.__sockaddr__, size); \
        return REAL(name, int, int, __SOCKADDR_ARG, socklen_t *)(socket, address, size); \
    }
WRITES_ADDRESS(accept)
WRITES_ADDRESS(getsockname)
WRITES_ADDRESS(getpeername)

EXPORTED int getsockopt(int socket, int level, int name, void *to, socklen_t *size) {
    lab_note_call("getsockopt");
    make_address_writable(to, size);
    return REAL(getsockopt, int, int, int, int, void *, socklen_t *)(socket, level, name, to, size);
}

EXPORTED ssize_t recvfrom(int socket, void *memory, size_t size, int flags, __SOCKADDR_ARG address, socklen_t *address_size) {
    lab_note_call("recvfrom");
    if (is_controlled()) lab_make_writable(memory, size);
    make_address_writable(address.__sockaddr__, address_size);
    return REAL(recvfrom, ssize_t, int, void *, size_t, int, __SOCKADDR_ARG, socklen_t *)(
        socket, memory, size, flags, address, address_size);
}

static void make_all_writable(const struct iovec *parts, int count) {
    for (int i = 0; i < count; i++) lab_make_writable(parts[i].iov_base, parts[i].iov_len);
}

EXPORTED ssize_t readv(int file, const struct iovec *parts, int count) {
    lab_note_call("readv");
    if (is_controlled()) make_all_writable(parts, count);
    return REAL(readv, ssize_t, int, const struct iovec *, int)(file, parts, count);
}

EXPORTED ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
    lab_note_call("recvmsg");
    if (is_controlled()) {
        lab_make_writable(message, sizeof *message);
        lab_make_writable(message->msg_name, message->msg_name ? message->msg_namelen : 0);
        lab_make_writable(message->msg_control, message->msg_control ? message->msg_controllen : 0);
        make_all_writable(message->msg_iov, (int)message->msg_iovlen);
    }
    return REAL(recvmsg, ssize_t, int, struct msghdr *, int)(socket, message, flags);
}

EXPORTED int select(int count, fd_set *to_read, fd_set *to_write, fd_set *failed, struct timeval *limit) {
    lab_note_call("select");
    if (is_controlled()) {
        for (int i = 0; i < 3; i++) {
            fd_set *set = i == 0 ? to_read : i == 1 ? to_write : failed;
            if (set) lab_make_writable(set, sizeof *set);
        }
        if (limit) lab_make_writable(limit, sizeof *limit);
    }
    return REAL(select, int, int, fd_set *, fd_set *, fd_set *, struct timeval *)(count, to_read, to_write, failed, limit);
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
