// A sequence lock: a reader that meets a writer tries a second time, and then gives up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, left, right;

static void *write_both(void *unused) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    atomic_fetch_add(&sequence, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_both, NULL);
    for (int attempt = 0; attempt < 2; attempt++) {
        int before = atomic_load(&sequence);
        int one = atomic_load(&left), other = atomic_load(&right);
        if (before % 2 == 0 && before == atomic_load(&sequence)) {
            assert(one == other);
            break;
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
