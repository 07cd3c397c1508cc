// Read-write locks, spin locks, semaphores, barriers, onces, keys and the threads of C11, used as they should be.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t permits;
static mtx_t mutex;
static atomic_int destroyed;
static int row, turns, initialized;

static void initialize(void) { initialized++; }
static void destroy(void *value) {
    free(value);
    destroyed++;
}

static int work(void *writes) {
    int *own = malloc(sizeof *own);
    pthread_setspecific(key, own);
    pthread_once(&once, initialize);
    assert(initialized == 1);
    if (writes) {
        pthread_rwlock_wrlock(&table);
        row++;
    } else {
        pthread_rwlock_rdlock(&table);
        assert(row == 0 || row == 1);
    }
    pthread_rwlock_unlock(&table);
    pthread_barrier_wait(&barrier);
    assert(row == 1);
    sem_wait(&permits);
    pthread_spin_lock(&spin);
    mtx_lock(&mutex);
    turns++;
    mtx_unlock(&mutex);
    pthread_spin_unlock(&spin);
    sem_post(&permits);
    assert(pthread_getspecific(key) == own);
    return 7;
}

int main(void) {
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_key_create(&key, destroy);
    sem_init(&permits, 0, 1);
    mtx_init(&mutex, mtx_plain);
    thrd_t one, other;
    thrd_create(&one, work, NULL);
    thrd_create(&other, work, &row);
    int result, second;
    thrd_join(one, &result);
    thrd_join(other, &second);
    assert(result == 7 && second == 7 && turns == 2 && destroyed == 2);
    return 0;
}
