// Threads that are never joined write one variable.
#include <pthread.h>
#include <stddef.h>

static int number;

static void *write_one(void *unused) {
    number = 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, write_one, NULL);
    return 0;
}
