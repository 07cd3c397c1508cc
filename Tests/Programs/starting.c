// A library whose constructor starts a thread, which a program waits for (loads.c).
#include <pthread.h>

static pthread_t thread;
static int total;

static void *use(void *unused) { return unused; }

__attribute__((constructor)) static void begin(void) { pthread_create(&thread, NULL, use, NULL); }

int count(int by) {
    total += by;
    return by;
}

int all(void) {
    pthread_join(thread, NULL);
    return total;
}
