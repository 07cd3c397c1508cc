// fib-N.lab: compile with -DN=4 or -DN=5.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LIMIT 144

atomic_int x, y;

void *left(void *unused) {
    for (int i = 0; i < N; i++) {
        int a = atomic_load_explicit(&x, memory_order_acquire);
        int b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&x, a + b, memory_order_release);
    }
    return 0;
}

void *right(void *unused) {
    for (int i = 0; i < N; i++) {
        int a = atomic_load_explicit(&x, memory_order_acquire);
        int b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&y, a + b, memory_order_release);
    }
    return 0;
}

void *observer(void *unused) {
    int a = atomic_load_explicit(&x, memory_order_acquire);
    if (a <= LIMIT) {
        int b = atomic_load_explicit(&y, memory_order_acquire);
        assert(b <= LIMIT);
    }
    return 0;
}

int main(void) {
    pthread_t threads[3];
    atomic_init(&x, 1);
    atomic_init(&y, 1);
    pthread_create(&threads[0], 0, left, 0);
    pthread_create(&threads[1], 0, right, 0);
    pthread_create(&threads[2], 0, observer, 0);
    return 0;
}
