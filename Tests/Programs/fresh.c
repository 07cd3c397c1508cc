// Whether each execution begins with memory as new: blocks of the heap, and variables of threads that only some executions create.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int flag;
static __thread int own = 5;

static void *allocate(void *unused) {
    int *block = calloc(1, sizeof *block);
    assert(++*block == 1);
    flag = 1;
    return unused;
}

static void *late(void *unused) {
    char *block = calloc(100, 100);
    for (int i = 0; i < 10000; i++) assert(block[i] == 0);
    memset(block, 7, 10000);
    assert(own++ == 5);
    return unused;
}

// It creates more threads, if the first has got so far.
static void *start(void *unused) {
    pthread_t threads[2];
    int count = flag ? 2 : 0;
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, late, NULL);
    assert(own++ == 5);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    return allocate(unused);
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, allocate, NULL);
    pthread_create(&second, NULL, start, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
