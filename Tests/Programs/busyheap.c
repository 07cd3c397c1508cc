// Threads that allocate and free large blocks, many each: the argument says who uses which.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 600, SIZE = 2000 };
static const char *way;
static char *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static int is(const char *name) { return strcmp(way, name) == 0; }

static void *work(void *number) {
    for (int i = 0; i < COUNT; i++) {
        char *block = malloc(SIZE);
        memset(block, i, SIZE);
        free(block);
    }
    pthread_mutex_lock(&mutex);
    total++;
    pthread_mutex_unlock(&mutex);
    if (is("joined") && !number) memset(shared, 1, SIZE);
    if (is("byte") && !number) shared[SIZE / 2] = 1;
    if (is("block") && !number) memset(shared, 1, SIZE);
    if (number && (is("byte") || is("block"))) free(shared);
    return NULL;
}

int main(int count, char **arguments) {
    way = count > 1 ? arguments[1] : "alone";
    shared = malloc(SIZE);
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    if (is("alone") || is("joined")) free(shared);
    return total - 2;
}
