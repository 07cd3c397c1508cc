// A wait with a limit of time, after which the other thread has still to be waited for.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int isReady;

static void *prepare(void *unused) {
    pthread_mutex_lock(&mutex);
    isReady = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    pthread_mutex_lock(&mutex);
    int result = 0;
    while (!isReady && result == 0) result = pthread_cond_timedwait(&changed, &mutex, &limit);
    assert(isReady || result == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(isReady);
    return 0;
}
