// What constructors make before main: keys with values, and the identity of the main thread.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_key_t key;
static pthread_t first;
static int destroyed;

static void destroy(void *value) {
    (void)value;
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_SEQ_CST);
}

__attribute__((constructor)) static void begin(void) {
    first = pthread_self();
    assert(pthread_key_create(&key, destroy) == 0);
    assert(pthread_setspecific(key, "early") == 0);
}

static void *set(void *unused) {
    assert(!pthread_getspecific(key));
    assert(!pthread_equal(first, pthread_self()));
    pthread_setspecific(key, "other");
    return unused;
}

int main(void) {
    assert(pthread_equal(first, pthread_self()));
    const char *value = pthread_getspecific(key);
    assert(value && strcmp(value, "early") == 0);
    // The next execution finds the first value again.
    pthread_setspecific(key, "late");
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, set, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST) == 2);
    puts("done");
    return 0;
}
