// Writes variables in far more places than it has, or more of them than is put back after an execution.
#include <pthread.h>
#include <stdlib.h>

enum { PAGE = 4096 };
static char table[((size_t)1 << 30) + (16 << 20)];

static void *work(void *unused) { return unused; }

int main(int count, char **words) {
    long writes = count > 1 ? atol(words[1]) : 0, distance = count > 2 ? atol(words[2]) : 1;
    for (long i = 0; i < writes; i++) table[i * distance * PAGE] = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
