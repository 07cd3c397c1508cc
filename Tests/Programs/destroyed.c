// One thread destroys what another one uses, in one of two orders; and objects are made again.
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static const char *choice;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier, unmade;
static sem_t permits;

static int is(const char *name) { return strcmp(choice, name) == 0; }

static void *use(void *unused) {
    if (is("mutex") && pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
    if (is("table")) pthread_rwlock_rdlock(&table), pthread_rwlock_unlock(&table);
    if (is("condition")) pthread_cond_signal(&changed);
    if (is("spin")) pthread_spin_lock(&spin), pthread_spin_unlock(&spin);
    if (is("barrier")) pthread_barrier_wait(&barrier);
    if (is("unmade")) pthread_barrier_wait(&unmade);
    if (is("semaphore")) sem_post(&permits);
    return unused;
}

static void destroy(void) {
    if (is("mutex")) pthread_mutex_destroy(&mutex);
    if (is("table")) pthread_rwlock_destroy(&table);
    if (is("condition")) pthread_cond_destroy(&changed);
    if (is("spin")) pthread_spin_destroy(&spin);
    if (is("barrier")) pthread_barrier_destroy(&barrier);
    if (is("semaphore")) sem_destroy(&permits);
}

// Each round makes them again: by a constant, or by a call.
static void make_again(void) {
    for (int round = 0; round < 2; round++) {
        pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&own);
        pthread_mutex_unlock(&own);
        pthread_mutex_destroy(&own);
        mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_mutex_destroy(&mutex);
        pthread_rwlock_init(&table, NULL);
        pthread_rwlock_wrlock(&table);
        pthread_rwlock_unlock(&table);
        pthread_rwlock_destroy(&table);
        pthread_cond_init(&changed, NULL);
        pthread_cond_broadcast(&changed);
        pthread_cond_destroy(&changed);
        pthread_spin_init(&spin, 0);
        pthread_spin_lock(&spin);
        pthread_spin_unlock(&spin);
        pthread_spin_destroy(&spin);
        pthread_barrier_init(&barrier, NULL, 1);
        pthread_barrier_wait(&barrier);
        pthread_barrier_destroy(&barrier);
        sem_init(&permits, 0, 1);
        sem_wait(&permits);
        sem_destroy(&permits);
    }
}

int main(int count, char **words) {
    choice = count > 1 ? words[1] : "again";
    if (is("again")) {
        make_again();
        return 0;
    }
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, NULL, 1);
    sem_init(&permits, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    destroy();
    pthread_join(thread, NULL);
    return 0;
}
