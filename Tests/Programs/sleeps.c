// A thread that sleeps: main, beside others that take a lock at the same time; or one of them, while it holds the lock.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, holds;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    if (holds) sleep(2);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argument_count, char **arguments) {
    (void)arguments;
    holds = argument_count > 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    if (!holds) sleep(10);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
