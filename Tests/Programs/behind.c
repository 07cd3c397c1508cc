// Two threads wait for each other, and main for a third, which can continue.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *two(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static void *monitor(void *unused) {
    for (int i = 0; i < 3; i++) usleep(1000);
    return unused;
}

int main(void) {
    pthread_t thread, others[2];
    pthread_create(&thread, NULL, monitor, NULL);
    pthread_create(&others[0], NULL, one, NULL);
    pthread_create(&others[1], NULL, two, NULL);
    pthread_detach(others[0]);
    pthread_detach(others[1]);
    pthread_join(thread, NULL);
    return 0;
}
