// Two threads exchange values over a barrier, twice.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int values[2];

static void *exchange(void *own) {
    int index = *(int *)own;
    for (int phase = 1; phase <= 2; phase++) {
        values[index] = phase;
        pthread_barrier_wait(&barrier);
        assert(values[1 - index] == phase);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    int numbers[] = {0, 1};
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, exchange, &numbers[0]);
    exchange(&numbers[1]);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
