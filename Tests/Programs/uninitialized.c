// Threads that read what no code has written, near the top of their stacks or, with an argument, far below it, and then leave something there.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static int read_stack(void) {
    volatile int values[300];
    return values[7];
}

__attribute__((noinline)) static void write_stack(void) {
    volatile int values[300];
    for (int i = 0; i < 300; i++) values[i] = 3;
}

// With gaps between what is used, as large arrays are.
__attribute__((noinline)) static int use_stack(int frames, int writes) {
    volatile char gap[6000];
    gap[0] = 1;
    if (frames) return use_stack(frames - 1, writes) + gap[0];
    if (!writes) return read_stack() != 0;
    write_stack();
    return 0;
}

static void step(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *frames) {
    int count = frames ? 30 : 0;
    if (use_stack(count, 0) != count) step();
    step();
    use_stack(count, 1);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, count > 1 ? words : NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
