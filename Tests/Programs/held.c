// A lock in memory of the heap that its holder writes, or releases, while others wait for it. The argument says which.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    pthread_mutex_t mutex;
    int count;
} counter_t;

static counter_t *counter;

static void *add(void *unused) {
    pthread_mutex_lock(&counter->mutex);
    counter->count++;
    pthread_mutex_unlock(&counter->mutex);
    return unused;
}

int main(int count, char **words) {
    int is_released = count > 1 && !strcmp(words[1], "released");
    pthread_t threads[2];
    counter = calloc(1, sizeof *counter);
    pthread_mutex_init(&counter->mutex, NULL);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
    pthread_mutex_lock(&counter->mutex);
    if (is_released) {
        free(counter);
    } else {
        memset(counter, 0, 1);
        pthread_mutex_unlock(&counter->mutex);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
