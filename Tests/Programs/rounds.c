// A barrier that is destroyed and made again, or freed, after a round that a handler of a signal has interrupted: the argument says how.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char *way;
static pthread_barrier_t *barrier;
static sem_t made;
static volatile sig_atomic_t handled;

static int is(const char *name) { return strcmp(way, name) == 0; }

static void handle(int number) {
    assert(number == SIGUSR1);
    handled++;
}

static void *wait_twice(void *unused) {
    pthread_barrier_wait(barrier);
    if (!is("again")) return unused;
    while (sem_wait(&made) != 0) {}
    pthread_barrier_wait(barrier);
    return unused;
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    pthread_t thread;
    signal(SIGUSR1, handle);
    sem_init(&made, 0, 0);
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&thread, NULL, wait_twice, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_barrier_wait(barrier);
    pthread_barrier_destroy(barrier);
    if (is("again")) {
        pthread_barrier_init(barrier, NULL, 2);
        sem_post(&made);
        pthread_barrier_wait(barrier);
        pthread_barrier_destroy(barrier);
    }
    free(barrier);
    pthread_join(thread, NULL);
    assert(handled == 1);
    return 0;
}
