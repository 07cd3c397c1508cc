// A wait that ends without a signal, and a compare-exchange that fails without a reason.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static atomic_int word;

static void *wait_once(void *p) {
    pthread_mutex_lock(&mutex);
    if (!ready) pthread_cond_wait(&condition, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return p;
}
static void *wait_in_loop(void *p) {
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return p;
}
static void *set(void *p) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return p;
}
// Nothing else changes the word.
static void *take_once(void *p) {
    int expected = 0;
    assert(atomic_compare_exchange_weak(&word, &expected, 1));
    return p;
}
static void *take_strongly(void *p) {
    int expected = 0;
    assert(atomic_compare_exchange_strong(&word, &expected, 1));
    return p;
}
static void *take_in_loop(void *p) {
    int expected = atomic_load(&word);
    while (!atomic_compare_exchange_weak(&word, &expected, expected + 1)) {}
    return p;
}
static void *look(void *p) {
    assert(atomic_load(&word) >= 0);
    return p;
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        void *(*one)(void *), *(*other)(void *);
    } pairs[] = {
        {"if", wait_once, set},          {"while", wait_in_loop, set},        {"once", take_once, look},
        {"strong", take_strongly, look}, {"loop", take_in_loop, take_in_loop},
    };
    assert(count == 2);
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(words[1], pairs[i].name) != 0) continue;
        pthread_t one, other;
        pthread_create(&one, NULL, pairs[i].one, NULL);
        pthread_create(&other, NULL, pairs[i].other, NULL);
        pthread_join(one, NULL);
        pthread_join(other, NULL);
        return 0;
    }
    return 2;
}
