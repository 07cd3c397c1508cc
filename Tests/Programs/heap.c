// Names that a library should leave to the programs that it is linked with.
#include <pthread.h>

int heap, pages, leaks, names, state, request, threads, shows, below;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *argument) {
    pthread_mutex_lock(&mutex);
    heap++, pages++, leaks++, names++, state++, request++, threads++, shows++, below++;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return heap != 2;
}
