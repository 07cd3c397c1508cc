// A thread that would read forever, if a function of the library did not end its loop: what that remembers is not seen.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag, ends;

static void *await(void *unused) {
    while (!flag) {
        if (lrand48() % 8 == 3) return unused;
    }
    return unused;
}

static void *end(void *unused) {
    ends = 1;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, await, NULL);
    pthread_create(&other, NULL, end, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
