// Keys of threads' values: as many as the C library has at once, and any number one after the other.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static int one, ended;

static void note(void *value) {
    assert(value == &one);
    ended++;
}

static void *use(void *unused) {
    pthread_key_t first, other, next;
    assert(pthread_key_create(&first, NULL) == 0 && pthread_key_create(&other, note) == 0);
    assert(pthread_setspecific(first, &ended) == 0 && pthread_setspecific(other, &one) == 0);
    assert(pthread_key_delete(first) == 0 && pthread_key_delete(first) == EINVAL);
    assert(pthread_getspecific(first) == NULL && pthread_setspecific(first, &one) == EINVAL);
    // It has the number of the first, and not its value.
    assert(pthread_key_create(&next, note) == 0 && next == first && pthread_getspecific(next) == NULL);
    return unused;
}

int main(void) {
    static pthread_key_t keys[PTHREAD_KEYS_MAX];
    for (int i = 0; i < 2 * PTHREAD_KEYS_MAX; i++) {
        pthread_key_t key;
        assert(pthread_key_create(&key, NULL) == 0 && pthread_key_delete(key) == 0);
    }
    int count = 0;
    while (count < PTHREAD_KEYS_MAX && pthread_key_create(&keys[count], NULL) == 0) count++;
    // The C library and the compiler's parts may have some.
    assert(count > PTHREAD_KEYS_MAX - 16);
    for (int i = 0; i < count; i++) assert(pthread_key_delete(keys[i]) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    assert(ended == 1);
    return 0;
}
