// Two threads add to a counter without a lock.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *add(void *unused) {
    (void)unused;
    counter++;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    printf("counter: %d\n", counter);
    assert(counter == 2);
    return 0;
}
