// A constructor, which runs before 'main', starts a thread.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static int value, is_guarded;

static void add(void) {
    if (is_guarded) pthread_mutex_lock(&mutex);
    value++;
    if (is_guarded) pthread_mutex_unlock(&mutex);
}

static void *work(void *unused) {
    add();
    return unused;
}

__attribute__((constructor)) static void begin(int count, char **words) {
    (void)words;
    is_guarded = count < 2;
    pthread_create(&thread, NULL, work, NULL);
}

int main(void) {
    add();
    pthread_join(thread, NULL);
    return value != 2;
}
