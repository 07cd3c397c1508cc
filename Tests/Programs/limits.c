// Limits that are none, clocks, and what C11 has to make and to keep.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static tss_t key;
static pid_t numbers[2];
static int kept, destroyed;

static void check_limits(void) {
    struct timespec bad = {0, 1000000000}, negative = {0, -1}, time = {0, 0};
    assert(pthread_cond_timedwait(&condition, &mutex, &bad) == EINVAL);
    assert(pthread_mutex_timedlock(&mutex, &bad) == EINVAL);
    assert(pthread_mutex_clocklock(&mutex, 77, &negative) == EINVAL);
    assert(pthread_rwlock_timedrdlock(&shared, &negative) == EINVAL);
    assert(sem_timedwait(&semaphore, &bad) == -1 && errno == EINVAL);
    assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &bad) == -1 && errno == EINVAL);
    assert(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
    assert(clock_nanosleep(77, 0, &time, NULL) == EINVAL);
    assert(clock_gettime(77, &time) == -1 && errno == EINVAL);
    assert(timespec_get(&time, TIME_UTC) == TIME_UTC);
    assert(clock() >= 0);
    // Centuries ago: the time limit is over.
    struct timespec early = {-8000000000, 0}, before, after;
    assert(clock_gettime(CLOCK_MONOTONIC, &before) == 0);
    assert(sem_timedwait(&semaphore, &early) == -1 && errno == ETIMEDOUT);
    assert(clock_gettime(CLOCK_MONOTONIC, &after) == 0 && after.tv_sec - before.tv_sec < 1000);
    clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_REALTIME_ALARM, CLOCK_TAI};
    // Not every system has a clock that can wake it.
    for (int i = 0; i < 4; i++) assert(clock_gettime(clocks[i], &time) == -1 || time.tv_sec > 1700000000);
}

static void check_kinds(void) {
    mtx_t made;
    assert(mtx_init(&made, mtx_recursive) == thrd_success);
    assert(mtx_lock(&made) == thrd_success && mtx_lock(&made) == thrd_success);
    assert(mtx_unlock(&made) == thrd_success && mtx_unlock(&made) == thrd_success);
    mtx_destroy(&made);
    assert(mtx_init(&made, mtx_plain) == thrd_success);
    assert(mtx_lock(&made) == thrd_success && mtx_trylock(&made) == thrd_busy);
    assert(mtx_unlock(&made) == thrd_success);
    mtx_destroy(&made);
}

static void *note(void *number) {
    *(pid_t *)number = gettid();
    assert(tss_get(key) == NULL && tss_set(key, &kept) == thrd_success && tss_get(key) == &kept);
    return NULL;
}

static void destroy(void *value) {
    assert(value == &kept);
    pthread_mutex_lock(&mutex);
    destroyed++;
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_t threads[2];
    pthread_attr_t large;
    sem_init(&semaphore, 0, 0);
    assert(tss_create(&key, destroy) == thrd_success);
    check_kinds();
    pthread_mutex_lock(&mutex);
    check_limits();
    pthread_mutex_unlock(&mutex);
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 64 << 10);
    for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], &large, note, &numbers[i]) == 0);
    for (int i = 0; i < 2; i++) assert(pthread_clockjoin_np(threads[i], NULL, CLOCK_MONOTONIC, NULL) == 0);
    assert(numbers[0] != numbers[1] && numbers[0] != gettid() && destroyed == 2);
    return 0;
}
