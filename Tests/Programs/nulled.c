// A reader uses a pointer that a closer sets to null. "asserted": the reader asserts that it is not null, and that
// nothing is counted.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    int descriptor, bytes;
} connection;

static connection first;
static connection *active = &first;
static int closed, is_asserted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *closer(void *unused) {
    pthread_mutex_lock(&lock);
    active = NULL;
    closed = 3;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    if (is_asserted) assert(closed == 0 && active);
    active->bytes++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(int count, char **words) {
    is_asserted = count > 1 && strcmp(words[1], "asserted") == 0;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, closer, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
