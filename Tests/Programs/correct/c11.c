// Threads, mutexes and conditions of C11.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int balance;

static int deposit(void *amount) {
    mtx_lock(&mutex);
    balance += *(int *)amount;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    int amounts[] = {2, 3};
    thrd_t threads[2];
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    for (int i = 0; i < 2; i++) thrd_create(&threads[i], deposit, &amounts[i]);
    mtx_lock(&mutex);
    while (balance < 5) cnd_wait(&changed, &mutex);
    mtx_unlock(&mutex);
    for (int i = 0; i < 2; i++) thrd_join(threads[i], NULL);
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
    return 0;
}
