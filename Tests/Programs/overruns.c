// A thread writes behind the end of a block of memory.
#include <pthread.h>
#include <stdlib.h>

static int *numbers;

static void *fill(void *unused) {
    for (int i = 0; i <= 12; i++) numbers[i] = i;
    return unused;
}

int main(void) {
    numbers = malloc(12 * sizeof *numbers);
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    free(numbers);
}
