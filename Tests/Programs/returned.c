// A thread uses a local variable of another: of a function that has returned, or of one that waits.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

static void *add(void *number) {
    ++*(int *)number;
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    sem_post(&semaphore);
    return NULL;
}

static int add_one(void *number) { return ++*(int *)number; }

static pthread_t begin(void) {
    int number = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, add, &number);
    return thread;
}

static thrd_t begin_one(void) {
    int number = 1;
    thrd_t thread;
    thrd_create(&thread, add_one, &number);
    return thread;
}

// A call would have its variables where those are that are gone.
__attribute__((always_inline)) static inline void wait_for(const char *way, pthread_t thread) {
    if (!strcmp(way, "join")) pthread_join(thread, NULL);
    if (!strcmp(way, "sleep")) usleep(100);
    if (!strcmp(way, "semaphore")) sem_wait(&semaphore);
    if (!strcmp(way, "yield")) sched_yield();
    if (!strcmp(way, "condition")) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    // The last one is "main": nothing waits, and main returns.
    if (strcmp(way, "join")) pthread_detach(thread);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "own";
    sem_init(&semaphore, 0, 0);
    if (!strcmp(way, "own")) {
        int number = 1;
        pthread_t thread;
        pthread_create(&thread, NULL, add, &number);
        wait_for("semaphore", thread);
    } else if (!strcmp(way, "standard")) {
        thrd_join(begin_one(), NULL);
    } else {
        wait_for(way, begin());
    }
}
