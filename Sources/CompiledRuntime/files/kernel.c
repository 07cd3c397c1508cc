// Calls in which the kernel writes into the program's memory. Pages are protected until the program first writes them
// (pages.c), and a system call that meets a protected page fails with EFAULT. So the memory is made writable before the
// call.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dirent.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <unistd.h>

// What a file contains does not follow from the schedule: lab_note_call keeps a search from being a proof.
EXPORTED ssize_t pread(int file, void *memory, size_t size, off_t offset) {
    lab_note_call("pread");
    lab_begin_point(SITE);
    if (is_controlled()) lab_make_writable(memory, size);
    ssize_t done = REAL(pread, ssize_t, int, void *, size_t, off_t)(file, memory, size, offset);
    if (done > 0) lab_note_access(memory, (uint64_t)done, 1, SITE);
    return done;
}

// The size of a page and the number of processors stay the same. Other values, such as memory in use, may change.
EXPORTED long sysconf(int name) {
    if (name != _SC_PAGESIZE && name != _SC_NPROCESSORS_CONF && name != _SC_NPROCESSORS_ONLN) lab_note_call("sysconf");
    return REAL(sysconf, long, int)(name);
}

// MARK: - Other calls in which the kernel writes

// Removes the parentheses around a list that is one argument of a macro.
#define LIST(...) __VA_ARGS__
// Defines a function that notes its call and is passed on. parameters, types, arguments: the function's, as lists in
// parentheses. memory, size: where the kernel writes, and how many bytes at most.
#define WRITES(name, result, parameters, types, arguments, memory, size) \
    EXPORTED result name parameters { \
        lab_note_call(#name); \
        if (is_controlled() && (memory)) lab_make_writable(memory, size); \
        return REAL(name, result, LIST types)arguments; \
    }
WRITES(getcwd, char *, (char *to, size_t size), (char *, size_t), (to, size), to, size)
WRITES(readlink, ssize_t, (const char *path, char *to, size_t size), (const char *, char *, size_t), (path, to, size), to, size)
WRITES(stat, int, (const char *path, struct stat *to), (const char *, struct stat *), (path, to), to, sizeof *to)
WRITES(lstat, int, (const char *path, struct stat *to), (const char *, struct stat *), (path, to), to, sizeof *to)
WRITES(fstat, int, (int file, struct stat *to), (int, struct stat *), (file, to), to, sizeof *to)
WRITES(fstatat, int, (int folder, const char *path, struct stat *to, int flags),
       (int, const char *, struct stat *, int), (folder, path, to, flags), to, sizeof *to)
WRITES(uname, int, (struct utsname *to), (struct utsname *), (to), to, sizeof *to)
WRITES(times, clock_t, (struct tms *to), (struct tms *), (to), to, sizeof *to)
WRITES(sysinfo, int, (struct sysinfo *to), (struct sysinfo *), (to), to, sizeof *to)

EXPORTED int getrusage(__rusage_who_t kind, struct rusage *to) {
    lab_note_call("getrusage");
    if (is_controlled()) lab_make_writable(to, sizeof *to);
    return REAL(getrusage, int, __rusage_who_t, struct rusage *)(kind, to);
}

// The kernel reads and writes the size of a socket's address or option, and writes the address or option.
static void make_address_writable(void *address, socklen_t *size) {
    if (!is_controlled() || !size) return;
    lab_make_writable(size, sizeof *size);
    if (address) lab_make_writable(address, *size);
}

// Defines a function that stores a socket's address. is_point: whether it is a cancellation point.
#define WRITES_ADDRESS(name, is_point) \
    EXPORTED int name(int socket, __SOCKADDR_ARG address, socklen_t *size) { \
        lab_note_call(#name); \
        if (is_point) lab_begin_point(SITE); \
        make_address_writable(address.__sockaddr__, size); \
        return REAL(name, int, int, __SOCKADDR_ARG, socklen_t *)(socket, address, size); \
    }
WRITES_ADDRESS(accept, 1)
WRITES_ADDRESS(getsockname, 0)
WRITES_ADDRESS(getpeername, 0)

EXPORTED int getsockopt(int socket, int level, int name, void *to, socklen_t *size) {
    lab_note_call("getsockopt");
    make_address_writable(to, size);
    return REAL(getsockopt, int, int, int, int, void *, socklen_t *)(socket, level, name, to, size);
}

EXPORTED ssize_t recvfrom(int socket, void *memory, size_t size, int flags, __SOCKADDR_ARG address, socklen_t *address_size) {
    lab_note_call("recvfrom");
    lab_begin_point(SITE);
    lab_use_descriptor(socket, SITE);
    if (lab_channel(socket) && !address.__sockaddr__) return lab_receive(socket, memory, size, flags, SITE);
    if (is_controlled()) lab_make_writable(memory, size);
    make_address_writable(address.__sockaddr__, address_size);
    ssize_t done = REAL(recvfrom, ssize_t, int, void *, size_t, int, __SOCKADDR_ARG, socklen_t *)(
        socket, memory, size, flags, address, address_size);
    if (done > 0) lab_note_access(memory, (uint64_t)done, 1, SITE);
    return done;
}

#endif
