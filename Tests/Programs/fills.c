// Two threads fill one half each of some megabytes.
#include <pthread.h>
#include <stdlib.h>

enum { SIZE = 1 << 20 };

static void *fill(void *half) {
    long *numbers = half;
    for (int i = 0; i < SIZE / 2; i++) numbers[i] = i;
    return NULL;
}

int main(void) {
    long *numbers = malloc(SIZE * sizeof *numbers);
    pthread_t thread;
    pthread_create(&thread, NULL, fill, numbers + SIZE / 2);
    fill(numbers);
    pthread_join(thread, NULL);
    long sum = 0;
    for (int i = 0; i < SIZE; i++) sum += numbers[i];
    free(numbers);
    return sum == 0;
}
