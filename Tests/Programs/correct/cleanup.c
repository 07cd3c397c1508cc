// A thread is canceled while it waits, and gives back what it holds.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int isClean;

static void clean(void *unused) {
    (void)unused;
    isClean = 1;
    pthread_mutex_unlock(&mutex);
}

static void *wait_forever(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean, NULL);
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_forever, NULL);
    pthread_cancel(thread);
    void *result;
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
