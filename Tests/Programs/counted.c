// A block with a reference count, which the last of two threads frees. "release": the decrements do not acquire.
// "early": main frees the block without asking.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    atomic_int references;
    int value, more[4];
} counted;

static counted *block;
static memory_order order = memory_order_acq_rel;

static void drop(counted *own) {
    if (atomic_fetch_sub_explicit(&own->references, 1, order) == 1) free(own);
}

static void *use(void *unused) {
    block->value++;
    drop(block);
    return unused;
}

int main(int count, char **words) {
    const char *choice = count > 1 ? words[1] : "";
    if (strcmp(choice, "release") == 0) order = memory_order_release;
    block = calloc(1, sizeof *block);
    atomic_init(&block->references, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    if (strcmp(choice, "early") == 0) free(block);
    else drop(block);
    pthread_join(thread, NULL);
    return 0;
}
