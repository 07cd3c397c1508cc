// A thread uses a thread-local variable of another one, which has ended before, or may have: outlived [joined|waits].
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static _Thread_local int own;
static int *others;
static const char *which;
static sem_t is_set, is_read;

static void *have(void *unused) {
    own = 1;
    others = &own;
    sem_post(&is_set);
    if (!strcmp(which, "waits")) sem_wait(&is_read);
    return unused;
}

static void *look(void *unused) {
    sem_wait(&is_set);
    int value = *others;
    sem_post(&is_read);
    return value == 1 ? unused : NULL;
}

int main(int argc, char **argv) {
    which = argc > 1 ? argv[1] : "";
    sem_init(&is_set, 0, 0);
    sem_init(&is_read, 0, 0);
    pthread_t one, two;
    pthread_create(&one, NULL, have, NULL);
    if (!strcmp(which, "joined")) pthread_join(one, NULL);
    pthread_create(&two, NULL, look, NULL);
    if (strcmp(which, "joined")) pthread_join(one, NULL);
    pthread_join(two, NULL);
}
