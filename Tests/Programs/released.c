// What is freed as soon as POSIX allows it: the argument says what. In a program that sends signals, and handles them.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *way;
static const struct timespec soon = {1, 0};

static int is(const char *name) { return strcmp(way, name) == 0; }

static void handle(int number) { (void)number; }

// A condition, when those that wait for it have been woken.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *condition;
static int is_ready;

static void *wait_for_condition(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!is_ready) pthread_cond_wait(condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void release_condition(void) {
    pthread_t first, second;
    condition = malloc(sizeof *condition);
    pthread_cond_init(condition, NULL);
    pthread_create(&first, NULL, wait_for_condition, NULL);
    pthread_create(&second, NULL, wait_for_condition, NULL);
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_broadcast(condition);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(condition);
    free(condition);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}

// A semaphore, by the one that has got its permit.
static void *post(void *semaphore) {
    sem_post(semaphore);
    return NULL;
}

static void release_semaphore(void) {
    pthread_t thread;
    sem_t *semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, 0);
    pthread_create(&thread, NULL, post, semaphore);
    if (sem_timedwait(semaphore, &soon) != 0) sem_wait(semaphore);
    sem_destroy(semaphore);
    free(semaphore);
    pthread_join(thread, NULL);
}

// A lock that counts those that use it, by the last of them.
typedef struct {
    pthread_mutex_t lock;
    pthread_rwlock_t shared;
    int users;
} counted_t;

static void take(counted_t *it) {
    if (is("mutex") && pthread_mutex_timedlock(&it->lock, &soon) != 0) pthread_mutex_lock(&it->lock);
    if (is("shared") && pthread_rwlock_timedwrlock(&it->shared, &soon) != 0) pthread_rwlock_wrlock(&it->shared);
}

static void *leave(void *memory) {
    counted_t *it = memory;
    take(it);
    int is_last = --it->users == 0;
    if (is("mutex")) pthread_mutex_unlock(&it->lock);
    else pthread_rwlock_unlock(&it->shared);
    if (!is_last) return NULL;
    pthread_mutex_destroy(&it->lock);
    pthread_rwlock_destroy(&it->shared);
    free(it);
    return NULL;
}

static void release_lock(void) {
    pthread_t thread;
    counted_t *it = malloc(sizeof *it);
    pthread_mutex_init(&it->lock, NULL);
    pthread_rwlock_init(&it->shared, NULL);
    it->users = 2;
    pthread_create(&thread, NULL, leave, it);
    leave(it);
    pthread_join(thread, NULL);
}

// What is used after it was freed is found all the same.
static void *free_condition(void *unused) {
    free(condition);
    return unused;
}

static void use_late(void) {
    pthread_t thread;
    condition = malloc(sizeof *condition);
    pthread_cond_init(condition, NULL);
    pthread_create(&thread, NULL, free_condition, NULL);
    pthread_cond_signal(condition);
    pthread_join(thread, NULL);
}

static void *destroy_condition(void *unused) {
    pthread_cond_destroy(condition);
    return unused;
}

// The same if it is destroyed.
static void use_destroyed(void) {
    static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    pthread_t thread;
    condition = &changed;
    pthread_create(&thread, NULL, destroy_condition, NULL);
    pthread_cond_signal(condition);
    pthread_join(thread, NULL);
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    signal(SIGUSR1, handle);
    if (is("condition")) release_condition();
    if (is("semaphore")) release_semaphore();
    if (is("mutex") || is("shared")) release_lock();
    if (is("late")) use_late();
    if (is("destroyed")) use_destroyed();
    if (is("sends")) pthread_kill(pthread_self(), SIGUSR1);
    return 0;
}
