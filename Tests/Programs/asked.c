// A thread of C reads its own number from where its maker puts it; threads that ask for much stack, and use as much; and one that asks what it is.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <threads.h>

static thrd_t own;

static int look(void *unused) {
    (void)unused;
    assert(thrd_equal(own, thrd_current()));
    return 0;
}

static int dig(int depth) {
    volatile char room[1 << 11];
    room[0] = (char)depth;
    return depth ? dig(depth - 1) + room[0] : 0;
}

static void *use(void *depth) {
    dig(*(int *)depth);
    return NULL;
}

static void *ask(void *unused) {
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    char name[16];
    int policy;
    struct sched_param values = {.sched_priority = 1};
    assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    pthread_attr_getstack(&attributes, &stack, &size);
    assert((char *)&size > (char *)stack && (char *)&size < (char *)stack + size);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "asked") == 0);
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "worker") == 0);
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &values) != 0);
    assert(pthread_getschedparam(pthread_self(), &policy, &values) == 0 && policy == SCHED_OTHER);
    // glibc rounds an alignment up to a power of two.
    volatile size_t alignments[] = {24, 48, 0};
    char *blocks[] = {
        aligned_alloc(alignments[0], 24), memalign(alignments[1], 1), aligned_alloc(alignments[2], 8), malloc(1)};
    for (int i = 0; i < 4; i++) assert(blocks[i] && (uintptr_t)blocks[i] % (i == 0 ? 32 : i == 1 ? 64 : 8) == 0);
    for (int i = 0; i < 4; i++) free(blocks[i]);
    return unused;
}

static void *body_of(const char *way) { return strcmp(way, "self") ? (void *)use : (void *)ask; }

int main(int count, char **words) {
    if (count < 2) {
        if (thrd_create(&own, look, NULL) != thrd_success) return 1;
        return thrd_join(own, NULL) != thrd_success;
    }
    int depth = strcmp(words[1], "deep") ? 4 : 8000;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16 << 20);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, (void *(*)(void *))body_of(words[1]), &depth) != 0) return 1;
    struct itimerval wrong = {.it_interval = {.tv_usec = 1000000}};
    if (!strcmp(words[1], "late")) assert(setitimer(ITIMER_REAL, &wrong, NULL) == -1 && errno == EINVAL);
    int policy;
    if (!strcmp(words[1], "other")) pthread_getschedparam(thread, &policy, &(struct sched_param){0});
    pthread_join(thread, NULL);
    return 0;
}
