// Values of threads, whose destructors count under a lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;

static void destroy(void *value) {
    pthread_mutex_lock(&mutex);
    destroyed += *(int *)value;
    pthread_mutex_unlock(&mutex);
    free(value);
}

static void *use(void *amount) {
    int *value = malloc(sizeof *value);
    *value = *(int *)amount;
    pthread_setspecific(key, value);
    assert(pthread_getspecific(key) == value);
    return NULL;
}

int main(void) {
    int amounts[] = {1, 2};
    pthread_t threads[2];
    pthread_key_create(&key, destroy);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, &amounts[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    pthread_key_delete(key);
    assert(destroyed == 3);
    return 0;
}
