// Descriptors that are closed, and put in another's place: the argument says how.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *way;
static int target, source[2], kept[2];

static int is(const char *name) { return strcmp(way, name) == 0; }

// Another thread that opens a file meanwhile does not get the number: it is closed and used again in one step.
static void *open_another(void *unused) {
    int file = open("/dev/null", O_WRONLY);
    assert(file != target);
    return unused;
}

static void replace(void) {
    pthread_t thread;
    assert(pipe(kept) == 0 && pipe(source) == 0);
    target = kept[0];
    pthread_create(&thread, NULL, open_another, NULL);
    assert(dup2(source[1], target) == target);
    pthread_join(thread, NULL);
    // It is the other pipe's now, which is so ready for what is read from it.
    char byte;
    assert(write(target, "x", 1) == 1);
    assert(read(source[0], &byte, 1) == 1);
}

static void *end_by_replacing(void *unused) {
    assert(dup2(source[0], kept[1]) == kept[1]);
    return unused;
}

// What waits for the end of what was written there finds it.
static void end(void) {
    pthread_t thread;
    char byte;
    assert(pipe(kept) == 0 && pipe(source) == 0);
    pthread_create(&thread, NULL, end_by_replacing, NULL);
    assert(read(kept[0], &byte, 1) == 0);
    pthread_join(thread, NULL);
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    if (is("replaces")) replace();
    if (is("ends")) end();
    return 0;
}
