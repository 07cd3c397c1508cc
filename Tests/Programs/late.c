// What two threads share shows only in one of many schedules: if the reader comes exactly after the seventh of the writer's steps.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;
static int secret;

static void *write_all(void *unused) {
    (void)unused;
    for (int i = 0; i < 12; i++) steps++;
    secret = 1;
    return NULL;
}

static void *read_once(void *unused) {
    (void)unused;
    for (int i = 0; i < 6; i++) {
        if (steps != 7) return NULL;
    }
    return secret ? &secret : NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, write_all, NULL);
    pthread_create(&other, NULL, read_once, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
