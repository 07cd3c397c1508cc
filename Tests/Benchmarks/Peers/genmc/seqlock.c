// seqlock-3-writes.lab
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int version, left, right;

void *writer(void *unused) {
    for (int i = 0; i < N; i++) {
        atomic_store_explicit(&version, 2 * i + 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&left, i + 1, memory_order_relaxed);
        atomic_store_explicit(&right, i + 1, memory_order_relaxed);
        atomic_store_explicit(&version, 2 * i + 2, memory_order_release);
    }
    return 0;
}

void *reader(void *unused) {
    int before = atomic_load_explicit(&version, memory_order_acquire);
    int a = atomic_load_explicit(&left, memory_order_relaxed);
    int b = atomic_load_explicit(&right, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int after = atomic_load_explicit(&version, memory_order_relaxed);
    assert(before != after || before % 2 == 1 || a == b);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, writer, 0);
    for (int i = 1; i < 3; i++) pthread_create(&threads[i], 0, reader, 0);
    return 0;
}
