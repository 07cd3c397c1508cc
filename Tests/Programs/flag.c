// main waits for a flag in a loop that does nothing but read it.
#include <pthread.h>
#include <stddef.h>

static volatile int is_set;

static void *set(void *unused) {
    is_set = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!is_set) {}
    pthread_join(thread, NULL);
    return 0;
}
