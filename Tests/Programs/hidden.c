// A thread that reads until another has written, or it has tried often enough: how often it has, nothing tells.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static _Thread_local int tries;

__attribute__((no_sanitize("thread"), noinline)) static int gives_up(void) { return ++tries == 20; }

static void *await(void *unused) {
    while (!flag) {
        if (gives_up()) break;
    }
    return unused;
}

static void *write_late(void *wait) {
    if (wait) pthread_join(*(pthread_t *)wait, NULL);
    flag = 1;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, await, NULL);
    pthread_create(&other, NULL, write_late, &one);
    pthread_join(other, NULL);
    return 0;
}
