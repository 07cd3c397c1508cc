// Two threads write a variable at once, and then each byte of a block, under a lock.
#include <pthread.h>
#include <stdlib.h>

enum { SIZE = 20000 };
static int flag;
static char *block;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void fill(char value) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        block[i] = value;
        pthread_mutex_unlock(&mutex);
    }
}

static void *work(void *unused) {
    flag = 1;
    fill(1);
    return unused;
}

int main(void) {
    block = malloc(SIZE);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    flag = 2;
    fill(2);
    pthread_join(thread, NULL);
    free(block);
    return 0;
}
