// Variables on the stack of a thread that has ended: the argument says how others use them.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static const char *way;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shown;
static sem_t is_shown, is_read;

static int is(const char *name) { return strcmp(way, name) == 0; }

static void *show(void *unused) {
    int local = 7;
    pthread_mutex_lock(&mutex);
    shown = &local;
    pthread_mutex_unlock(&mutex);
    sem_post(&is_shown);
    if (is("ordered")) sem_wait(&is_read);
    return is("joined") ? shown : unused;
}

static void read_it(void) {
    pthread_mutex_lock(&mutex);
    assert(*shown == 7);
    pthread_mutex_unlock(&mutex);
}

static void *read_main(void *variable) {
    assert(*(int *)variable == 7);
    sem_post(&is_read);
    return NULL;
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    pthread_t thread;
    int own = 7;
    void *result;
    sem_init(&is_shown, 0, 0);
    sem_init(&is_read, 0, 0);
    if (is("main") || is("left")) {
        pthread_create(&thread, NULL, read_main, &own);
        if (is("main")) sem_wait(&is_read);
        pthread_exit(NULL);
    }
    pthread_create(&thread, NULL, show, NULL);
    if (is("beside") || is("ordered")) {
        sem_wait(&is_shown);
        read_it();
        sem_post(&is_read);
    }
    pthread_join(thread, &result);
    if (is("joined")) return *(int *)result != 7;
    return 0;
}
