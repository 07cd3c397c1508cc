// Two threads that use a library (counting.c): without its lock, or by its functions that lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void count(void);
void count_safely(void);
int counted_by_all(void);
int counted_by_this(void);

static void *hasty(void *unused) {
    count();
    return unused;
}

static void *careful(void *unused) {
    count_safely();
    assert(counted_by_this() == 1);
    return unused;
}

int main(int count_of_words, char **words) {
    assert(!getenv("LD_PRELOAD"));
    int is_hasty = count_of_words > 1 && strcmp(words[1], "hasty") == 0;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, is_hasty ? hasty : careful, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counted_by_all() == (is_hasty ? 0 : 2) && counted_by_this() == 0);
    return count_of_words > 2 ? 3 : 0;
}
