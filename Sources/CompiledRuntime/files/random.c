// Random numbers of the system. Each execution gets the same, so that a schedule can be repeated: a number follows from
// the thread and from how many numbers it has had before. Nothing is proved of a program that asks for some. (What rand
// and random return follows from the program's own seed.)
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "libc/forwarded.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/syscall.h>

enum {
    // The maximum number of bytes that getentropy gives in a call.
    MOST_ENTROPY = 256,
    // The number of random bytes that the program can read from a device that it opens.
    DEVICE_SIZE = 1 << 18,
};

// By thread: how many random numbers it has had.
LAB_EACH_THREAD(uint32_t, counts);

// SplitMix64, whose state is the thread's number and the count.
static uint64_t next_number(void) {
    uint64_t number = ((uint64_t)lab_state->current << 32 | ++counts[lab_state->current]) * 0x9E3779B97F4A7C15u;
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9u;
    number = (number ^ number >> 27) * 0x94D049BB133111EBu;
    return number ^ number >> 31;
}

static void fill(void *to, size_t size) {
    uint8_t *bytes = to;
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++, number >>= 8) {
        if (i % sizeof number == 0) number = next_number();
        bytes[i] = (uint8_t)number;
    }
}

// Fills the program's memory, and notes the call and the access.
static void fill_for_program(const char *name, void *to, size_t size, uint64_t site) {
    lab_note_call(name);
    lab_note_access(to, size, 1, site);
    fill(to, size);
}

ssize_t lab_get_random(void *to, size_t size, unsigned flags, uint64_t site) {
    if (!is_controlled()) return REAL(getrandom, ssize_t, void *, size_t, unsigned)(to, size, flags);
    fill_for_program("getrandom", to, size, site);
    return (ssize_t)size;
}

EXPORTED ssize_t getrandom(void *to, size_t size, unsigned flags) { return lab_get_random(to, size, flags, SITE); }

EXPORTED int getentropy(void *to, size_t size) {
    if (!is_controlled()) return REAL(getentropy, int, void *, size_t)(to, size);
    if (size > MOST_ENTROPY) return errno = EIO, -1;
    fill_for_program("getentropy", to, size, SITE);
    return 0;
}

EXPORTED uint32_t arc4random(void) {
    if (!is_controlled()) return REAL(arc4random, uint32_t, void)();
    lab_note_call("arc4random");
    return (uint32_t)next_number();
}

EXPORTED uint32_t arc4random_uniform(uint32_t bound) {
    if (!is_controlled()) return REAL(arc4random_uniform, uint32_t, uint32_t)(bound);
    lab_note_call("arc4random_uniform");
    return bound ? (uint32_t)(next_number() % bound) : 0;
}

EXPORTED void arc4random_buf(void *to, size_t size) {
    if (!is_controlled()) return REAL(arc4random_buf, void, void *, size_t)(to, size);
    fill_for_program("arc4random_buf", to, size, SITE);
}

// std::random_device::_M_getval, and the function that older programs call in its place.
#define DEVICE_VALUE(name) \
    EXPORTED unsigned name(void *device) { \
        if (!is_controlled()) return REAL(name, unsigned, void *)(device); \
        lab_note_call("std::random_device"); \
        return (unsigned)next_number(); \
    }
DEVICE_VALUE(_ZNSt13random_device9_M_getvalEv)
DEVICE_VALUE(_ZNSt13random_device16_M_getval_pretr1Ev)

// MARK: - The system's devices

// Makes a file in memory with random bytes, in place of the device.
static int open_device(void) {
    int64_t device = lab_system(SYS_memfd_create, (uint64_t) "random", 0, 0, 0, 0, 0);
    char block[PAGE];
    for (int size = 0; device >= 0 && size < DEVICE_SIZE; size += PAGE) {
        fill(block, sizeof block);
        if (lab_system(SYS_write, (uint64_t)device, (uint64_t)block, sizeof block, 0, 0, 0) != sizeof block) break;
    }
    if (device >= 0) lab_system(SYS_lseek, (uint64_t)device, 0, SEEK_SET, 0, 0, 0);
    return (int)device;
}

static int open_as_file(const char *path, int flags) {
    (void)path, (void)flags;
    return open_device();
}

static FILE *open_as_stream(const char *path, const char *mode) {
    (void)path;
    int device = open_device();
    return device < 0 ? NULL : REAL(fdopen, FILE *, int, const char *)(device, mode);
}

void *lab_open_random(const char *path, int is_stream) {
    // The first page is never mapped: for such a path, the system reports the error.
    if ((uintptr_t)path < PAGE || (!is_same(path, "/dev/urandom") && !is_same(path, "/dev/random"))) return NULL;
    return is_stream ? (void *)open_as_stream : (void *)open_as_file;
}

#endif
