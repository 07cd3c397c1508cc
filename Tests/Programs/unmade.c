// Locks, conditions and semaphores in new memory, initialized or not.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int count;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    sem_t semaphore;
} shared_t;

static shared_t statically, *shared;

static void *lock(void *p) {
    pthread_mutex_lock(&shared->mutex);
    shared->count++;
    pthread_mutex_unlock(&shared->mutex);
    return p;
}
static void *signal(void *p) {
    pthread_cond_signal(&shared->condition);
    return p;
}
static void *read(void *p) {
    pthread_rwlock_rdlock(&shared->lock);
    pthread_rwlock_unlock(&shared->lock);
    return p;
}
static void *post(void *p) {
    sem_post(&shared->semaphore);
    return p;
}
static void *take(void *p) {
    sem_wait(&shared->semaphore);
    return p;
}

static int run(void *(*body)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
    body(NULL);
    pthread_join(thread, NULL);
    return 0;
}

static shared_t *make(const char *how) {
    if (strcmp(how, "calloc") == 0) return calloc(1, sizeof(shared_t));
    // Of the mutex there is only the beginning.
    if (strcmp(how, "small") == 0) return malloc(offsetof(shared_t, mutex) + sizeof(pthread_mutex_t) / 2);
    shared_t *made = malloc(sizeof *made);
    if (strcmp(how, "memset") == 0) memset(made, 0, sizeof *made);
    if (strcmp(how, "constant") == 0) {
        made->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        made->condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
        made->lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    }
    if (strcmp(how, "copy") == 0) *made = statically;
    if (strcmp(how, "call") == 0) {
        pthread_mutex_init(&made->mutex, NULL);
        pthread_cond_init(&made->condition, NULL);
        pthread_rwlock_init(&made->lock, NULL);
        sem_init(&made->semaphore, 0, 1);
    }
    made->count = 0;
    return made;
}

int main(int count, char **words) {
    assert(count == 3);
    static const struct {
        const char *name;
        void *(*body)(void *);
    } bodies[] = {{"mutex", lock}, {"condition", signal}, {"lock", read}, {"post", post}, {"take", take}};
    shared_t local;
    if (strcmp(words[2], "static") == 0) shared = &statically;
    else if (strcmp(words[2], "stack") == 0) shared = &local, local.count = 0;
    else shared = make(words[2]);
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (strcmp(words[1], bodies[i].name) != 0) continue;
        if (bodies[i].body == take && strcmp(words[2], "call") == 0) sem_post(&shared->semaphore);
        run(bodies[i].body);
        if (shared != &statically && shared != &local) free(shared);
        return 0;
    }
    return 2;
}
