// Correct programs: all their orders can be tried.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char *choice;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static int number;
static atomic_int counter, flag, x, y;
static struct { short left, right; } pair;

static int is(const char *name) { return strcmp(choice, name) == 0; }

static void both(void) {
    if (is("locked")) {
        pthread_mutex_lock(&mutex);
        number++;
        pthread_mutex_unlock(&mutex);
    }
    if (is("added")) atomic_fetch_add(&counter, 1);
}

static void *one(void *unused) {
    both();
    if (is("crossed")) {
        atomic_store(&x, 1);
        atomic_load(&y);
    }
    if (is("published")) {
        number = 1;
        atomic_store_explicit(&flag, 1, memory_order_release);
    }
    if (is("neighbors")) pair.left = 1;
    if (is("posted")) number = 1, sem_post(&semaphore);
    return unused;
}

static void *other(void *unused) {
    both();
    if (is("crossed")) {
        atomic_store(&y, 1);
        atomic_load(&x);
    }
    if (is("published") && atomic_load_explicit(&flag, memory_order_acquire) == 1) assert(number == 1);
    if (is("neighbors")) pair.right = 1;
    if (is("posted")) {
        sem_wait(&semaphore);
        assert(number == 1);
    }
    return unused;
}

static void *third(void *unused) {
    both();
    return unused;
}

int main(int count, char **words) {
    choice = count > 1 ? words[1] : "locked";
    sem_init(&semaphore, 0, 0);
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%s: %d\n", choice, number);
    return 0;
}
