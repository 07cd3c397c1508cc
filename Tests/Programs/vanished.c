// Threads of which one releases an object while the other may be about to use it: between what that has done before, and the use, there is no step.
// The argument is the use.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

typedef union {
    sem_t semaphore;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t shared;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
} object_t;

static const char *use;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_ready;

static int is(const char *word) { return !strcmp(use, word); }

static void *work(void *argument) {
    object_t *object = argument;
    int value;
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_mutex_unlock(&mutex);
    if (is("post")) sem_post(&object->semaphore);
    if (is("value")) sem_getvalue(&object->semaphore, &value);
    if (is("end")) sem_destroy(&object->semaphore);
    if (is("begin")) sem_init(&object->semaphore, 0, 0);
    if (is("signal")) pthread_cond_signal(&object->condition);
    if (is("broadcast")) pthread_cond_broadcast(&object->condition);
    if (is("try")) pthread_mutex_trylock(&object->mutex);
    if (is("lock")) pthread_mutex_lock(&object->mutex);
    if (is("destroy")) pthread_mutex_destroy(&object->mutex);
    if (is("read")) pthread_rwlock_rdlock(&object->shared);
    if (is("spin")) pthread_spin_lock(&object->spin);
    if (is("pass")) pthread_barrier_wait(&object->barrier);
    return NULL;
}

int main(int count, char **words) {
    use = count > 1 ? words[1] : "none";
    object_t *object = calloc(1, sizeof *object);
    if (is("post") || is("value") || is("end")) sem_init(&object->semaphore, 0, 0);
    if (is("spin")) pthread_spin_init(&object->spin, PTHREAD_PROCESS_PRIVATE);
    if (is("pass")) pthread_barrier_init(&object->barrier, NULL, 1);
    pthread_t thread;
    pthread_create(&thread, NULL, work, object);
    pthread_mutex_lock(&mutex);
    int was_ready = is_ready;
    pthread_mutex_unlock(&mutex);
    if (was_ready) free(object);
    pthread_join(thread, NULL);
    return 0;
}
