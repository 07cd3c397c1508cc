// Handlers of pthread_cleanup_push, which pthread_exit calls, the innermost first, and keys after them.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int order;

static void first(void *unused) {
    (void)unused;
    assert(++order == 1);
}

static void second(void *unused) {
    (void)unused;
    assert(++order == 2);
    pthread_mutex_unlock(&mutex);
}

static void third(void *unused) {
    (void)unused;
    assert(++order == 3);
}

static void *use(void *unused) {
    pthread_setspecific(key, &order);
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(second, NULL);
    pthread_cleanup_push(third, NULL);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(first, NULL);
    pthread_exit(&order);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_key_create(&key, third);
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, &result);
    assert(result == &order && order == 3);
    pthread_mutex_lock(&mutex);
    return 0;
}
