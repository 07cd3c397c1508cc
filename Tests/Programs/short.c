// A barrier for four threads, to which only three come.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *come(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, come, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
