// Memory that one thread writes plainly, and another reads as an atomic.
#include <assert.h>
#include <pthread.h>

static int number;

static void *write_twice(void *unused) {
    number = 1;
    number = 2;
    return unused;
}

static void *look(void *unused) {
    assert(__atomic_load_n(&number, __ATOMIC_SEQ_CST) != 1);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, write_twice, NULL);
    pthread_create(&second, NULL, look, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
