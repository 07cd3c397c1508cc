// More threads, one after the other, or more memory, than an execution can have. It takes what fails for its end, and then nothing is wrong.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *end(void *unused) { return unused; }

static void start_threads(void) {
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, end, NULL)) exit(0);
        pthread_join(thread, NULL);
    }
}

static void allocate(size_t size, int count) {
    for (int i = 0; i < count; i++) {
        char *block = malloc(size);
        if (!block) exit(0);
        block[size / 2] = 1;
        free(block);
    }
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    if (!strcmp(what, "threads")) start_threads();
    if (!strcmp(what, "memory")) allocate((size_t)1 << 35, 1);
    if (!strcmp(what, "freed")) allocate((size_t)1 << 27, 10);
    if (!strcmp(what, "absurd")) assert(!malloc((size_t)1 << 50));
    return 0;
}
