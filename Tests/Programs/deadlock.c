// Two threads take two mutexes in opposite orders; with an argument, in the same order.
#include <pthread.h>

static pthread_mutex_t accounts = PTHREAD_MUTEX_INITIALIZER, journal = PTHREAD_MUTEX_INITIALIZER;
static int balance, entries;
static int same_order;

static void *deposit(void *unused) {
    (void)unused;
    pthread_mutex_lock(&accounts);
    pthread_mutex_lock(&journal);
    balance++;
    pthread_mutex_unlock(&journal);
    pthread_mutex_unlock(&accounts);
    return NULL;
}

static void *audit(void *unused) {
    (void)unused;
    pthread_mutex_lock(same_order ? &accounts : &journal);
    pthread_mutex_lock(same_order ? &journal : &accounts);
    entries++;
    pthread_mutex_unlock(same_order ? &journal : &accounts);
    pthread_mutex_unlock(same_order ? &accounts : &journal);
    return NULL;
}

int main(int count, char **words) {
    (void)words;
    same_order = count > 1;
    pthread_t one, other;
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&other, NULL, audit, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
