// peterson-loop-3.lab
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int flag[2], turn;
int inside;

void *worker(void *number) {
    int index = (int)(intptr_t)number;
    for (int i = 0; i < N; i++) {
        atomic_store(&flag[index], 1);
        atomic_store(&turn, 1 - index);
        int isOther = atomic_load(&flag[1 - index]);
        int whose = atomic_load(&turn);
        if (!isOther || whose == index) inside++;
        atomic_store(&flag[index], 0);
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, (void *)i);
    return 0;
}
