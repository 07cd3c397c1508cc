// A large access is repeated after a thread was started which reads there: the first one came before the thread, the second one does not.
#include <pthread.h>
#include <string.h>

static char much[4096];
static int other;

static void *idle(void *unused) {
    other++;
    return unused;
}

static void *read_first(void *unused) { return much[0] == 9 ? unused : NULL; }

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, idle, NULL);
    much[0] = 1;
    for (int i = 0; i < 2; i++) {
        memset(much, i, sizeof much);
        if (i == 0) pthread_create(&second, NULL, read_first, NULL);
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
