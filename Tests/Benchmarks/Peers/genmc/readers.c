// readers-13.lab
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *writer(void *unused) {
    atomic_store_explicit(&x, 42, memory_order_release);
    return 0;
}

void *reader(void *unused) {
    atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[N], 0, writer, 0);
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, reader, 0);
    return 0;
}
