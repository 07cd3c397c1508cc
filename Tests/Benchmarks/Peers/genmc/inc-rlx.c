// inc-rlx-7.lab
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *adder(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, adder, 0);
    return 0;
}
