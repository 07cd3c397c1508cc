// A bounded buffer: two producers, one consumer.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t space = PTHREAD_COND_INITIALIZER, filled = PTHREAD_COND_INITIALIZER;
static int slot, isFilled, sum;

static void *produce(void *value) {
    pthread_mutex_lock(&mutex);
    while (isFilled) pthread_cond_wait(&space, &mutex);
    slot = *(int *)value;
    isFilled = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    int values[] = {1, 2};
    pthread_t producers[2];
    for (int i = 0; i < 2; i++) pthread_create(&producers[i], NULL, produce, &values[i]);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        while (!isFilled) pthread_cond_wait(&filled, &mutex);
        sum += slot;
        isFilled = 0;
        pthread_cond_signal(&space);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < 2; i++) pthread_join(producers[i], NULL);
    assert(sum == 3);
    return 0;
}
