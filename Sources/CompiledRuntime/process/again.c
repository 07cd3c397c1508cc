// Starts the program again in the same process, with one more environment variable. Some things that executions turn
// out to need, such as a library, must be done at the start, before the program's memory is remembered.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The maximum size of the arguments, and of the environment, in bytes.
enum { MOST_BYTES = 4 << 20 };

// Whether both texts ("NAME=VALUE") set the same variable.
static int is_same_variable(const char *one, const char *other) {
    size_t length = (size_t)(strchr(other, '=') - other) + 1;
    return strncmp(one, other, length) == 0;
}

// Splits the bytes into texts, each of which ends with a zero byte. `last`, if not null, is added at the end, and
// replaces a text that sets the same variable.
static char **texts_of(char *bytes, size_t size, char *last) {
    size_t count = 0, number = 0;
    for (size_t i = 0; i < size; i++) count += !bytes[i];
    char **texts = malloc((count + 2) * sizeof *texts);
    if (!texts) return NULL;
    for (size_t i = 0; i < size; i += strlen(bytes + i) + 1) {
        if (!last || !is_same_variable(bytes + i, last)) texts[number++] = bytes + i;
    }
    if (last) texts[number++] = last;
    texts[number] = NULL;
    return texts;
}

// Reads a file and splits it into texts (texts_of). Returns null if it cannot be read. Nothing is freed, because the
// process is about to be replaced.
static char **read_texts(const char *path, char *last) {
    size_t size = 0;
    char *bytes = calloc(1, MOST_BYTES + 1);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (!bytes || file < 0) return NULL;
    for (long count; (count = syscall(SYS_read, file, bytes + size, MOST_BYTES - size)) > 0;) size += (size_t)count;
    syscall(SYS_close, file);
    return texts_of(bytes, size, last);
}

void lab_begin_again(char *variable) {
    char **words = read_texts("/proc/self/cmdline", NULL);
    char **variables = read_texts("/proc/self/environ", variable);
    if (words && variables) syscall(SYS_execve, "/proc/self/exe", words, variables);
}

#endif
