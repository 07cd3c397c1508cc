// The main thread ends by pthread_exit, and the last of the others ends the process: which one that is depends on their order, and with an
// argument a handler could see it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int x, z;

static void set(int *variable, pthread_mutex_t *mutex, int value) {
    pthread_mutex_lock(mutex);
    *variable = value;
    pthread_mutex_unlock(mutex);
}

static int get(int *variable, pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    int value = *variable;
    pthread_mutex_unlock(mutex);
    return value;
}

static void *pulse(void *unused) {
    set(&x, &first, 1);
    set(&x, &first, 0);
    return unused;
}

static void *pass_on(void *unused) {
    if (get(&x, &first) == 1) set(&z, &second, 1);
    return unused;
}

static void *take_back(void *unused) {
    if (get(&z, &second) == 1) set(&z, &second, 0);
    return unused;
}

static void look(void) { x = z; }

int main(int count, char **words) {
    (void)words;
    if (count > 1) atexit(look);
    pthread_t one, two, three;
    pthread_create(&one, NULL, pulse, NULL);
    pthread_create(&two, NULL, pass_on, NULL);
    pthread_create(&three, NULL, take_back, NULL);
    pthread_exit(NULL);
}
