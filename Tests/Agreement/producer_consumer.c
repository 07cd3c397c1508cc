// The scenario producer-consumer in plain C: what overhead.py runs by itself and under other tools. Two producers, two
// consumers, a mutex and two conditions. Prints the nanoseconds of real time that an item took.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t buffer = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static long *slots, capacity, made, used, items;

static void put(long item) {
    pthread_mutex_lock(&buffer);
    while (made - used == capacity) pthread_cond_wait(&not_full, &buffer);
    if (slots[made % capacity] != 0) abort();
    slots[made % capacity] = item;
    made++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&buffer);
}

static long take(void) {
    pthread_mutex_lock(&buffer);
    while (made == used) pthread_cond_wait(&not_empty, &buffer);
    long item = slots[used % capacity];
    slots[used % capacity] = 0;
    used++;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&buffer);
    return item;
}

static void *produce(void *first) {
    for (long i = 0; i < items / 2; i++) put((long)first + i);
    return NULL;
}

static void *consume(void *sum) {
    for (long i = 0; i < items / 2; i++) *(long *)sum += take();
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    items = atol(words[1]) / 2 * 2;
    capacity = atol(words[2]);
    slots = calloc((size_t)capacity, sizeof *slots);
    pthread_t threads[4];
    long sums[2] = {0, 0};
    double begin = now();
    pthread_create(&threads[0], NULL, produce, (void *)1);
    pthread_create(&threads[1], NULL, produce, (void *)(1 + items / 2));
    pthread_create(&threads[2], NULL, consume, &sums[0]);
    pthread_create(&threads[3], NULL, consume, &sums[1]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("%.0f\n", (now() - begin) / (double)items);
    return sums[0] + sums[1] == items * (items + 1) / 2 ? 0 : 1;
}
