// Objects that are looked at, made anew or destroyed while another thread uses them: its argument says which.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static const char *mistake;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;

static int is(const char *name) { return strcmp(mistake, name) == 0; }

static void *use(void *unused) {
    if (is("value")) sem_post(&semaphore);
    if (is("semaphore")) sem_init(&semaphore, 0, 1);
    if (is("mutex")) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    if (is("shared")) {
        pthread_rwlock_rdlock(&shared);
        pthread_rwlock_unlock(&shared);
    }
    if (is("spin")) {
        pthread_spin_lock(&spin);
        pthread_spin_unlock(&spin);
    }
    if (is("condition")) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    if (is("")) {
        pthread_rwlock_t own;
        pthread_rwlock_init(&own, NULL);
        pthread_rwlock_wrlock(&own);
        pthread_barrier_wait(&barrier);
        pthread_rwlock_unlock(&own);
        pthread_rwlock_destroy(&own);
    }
    return unused;
}

int main(int count, char **words) {
    pthread_t thread;
    mistake = count > 1 ? words[1] : "";
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, use, NULL);
    if (is("mutex")) pthread_mutex_init(&mutex, NULL);
    if (is("shared")) pthread_rwlock_destroy(&shared);
    if (is("spin")) pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    if (is("condition")) {
        pthread_cond_init(&condition, NULL);
        pthread_cond_broadcast(&condition);
    }
    if (is("value") || is("semaphore")) {
        int value;
        sem_getvalue(&semaphore, &value);
        assert(value != 1);
    }
    if (is("")) {
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) pthread_barrier_destroy(&barrier);
    }
    pthread_join(thread, NULL);
    return 0;
}
