// A hundred threads count without a lock.
#include <pthread.h>

static int counter;

static void *count(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t threads[100];
    for (int i = 0; i < 100; i++) pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 100; i++) pthread_join(threads[i], NULL);
    return 0;
}
