// Peterson's lock.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int number;

static void *use(void *own) {
    int me = *(int *)own, other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) sched_yield();
    number++;
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    int numbers[] = {0, 1};
    pthread_t thread;
    pthread_create(&thread, NULL, use, &numbers[0]);
    use(&numbers[1]);
    pthread_join(thread, NULL);
    assert(number == 2);
    return 0;
}
