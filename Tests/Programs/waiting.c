// A consumer waits for a product: forever, or with a time limit that passes at any moment. It is correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static int products, losses;

static void *consume(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    while (products == 0) pthread_cond_wait(&made, &lock);
    products--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consume_in_time(void *unused) {
    (void)unused;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 3600;
    pthread_mutex_lock(&lock);
    int result = 0;
    while (products == 0 && result == 0) result = pthread_cond_timedwait(&made, &lock, &limit);
    assert(result == 0 || result == ETIMEDOUT);
    if (products > 0) products--;
    else losses++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, consume, NULL);
    pthread_create(&other, NULL, consume_in_time, NULL);
    sleep(3600);
    pthread_mutex_lock(&lock);
    products = 2;
    pthread_cond_broadcast(&made);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(products == losses);
    return 0;
}
