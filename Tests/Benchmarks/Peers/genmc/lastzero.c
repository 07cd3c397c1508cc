// lastzero-10.lab
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int cell[N + 1];

void *reader(void *unused) {
    int i = N;
    while (atomic_load_explicit(&cell[i], memory_order_acquire) != 0) i--;
    return 0;
}

void *writer(void *number) {
    intptr_t i = (intptr_t)number;
    int left = atomic_load_explicit(&cell[i], memory_order_acquire);
    atomic_store_explicit(&cell[i + 1], left + 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[N], 0, reader, 0);
    for (intptr_t i = 0; i < N; i++) pthread_create(&threads[i], 0, writer, (void *)i);
    return 0;
}
