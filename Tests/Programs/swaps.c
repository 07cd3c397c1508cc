// A thread that is cancelled swaps two variables with a lock held, which is safe if it can be cancelled only where it waits: swaps [asynchronous].
#include <pthread.h>
#include <stddef.h>

static int one = 5, other = 10, is_asynchronous;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *swap(void *unused) {
    if (is_asynchronous) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_mutex_lock(&lock);
    int kept = one;
    one = other;
    other = kept;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(int argc, char **argv) {
    is_asynchronous = argc > 1 && argv[1];
    pthread_t thread;
    pthread_create(&thread, NULL, swap, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
