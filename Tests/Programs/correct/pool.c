// A semaphore admits two of three threads to what is counted by an atomic variable.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t places;
static atomic_int inside;

static void *use(void *unused) {
    sem_wait(&places);
    assert(atomic_fetch_add(&inside, 1) < 2);
    atomic_fetch_sub(&inside, 1);
    sem_post(&places);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&places, 0, 2);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, NULL);
    use(NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    sem_destroy(&places);
    return 0;
}
