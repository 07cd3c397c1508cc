// Loads a library, and calls it from two threads: loads LIBRARY, or loads hasty, without a lock, for a data race in the library.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*count)(int), (*all)(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_hasty;

static void *work(void *unused) {
    if (!is_hasty) pthread_mutex_lock(&lock);
    if (count(2) != 2) abort();
    if (!is_hasty) pthread_mutex_unlock(&lock);
    return unused;
}

int main(int argc, char **argv) {
    is_hasty = argc > 1 && strcmp(argv[1], "hasty") == 0;
    void *library = dlopen(is_hasty ? "./libhelper.so" : argv[1], RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 3;
    *(void **)&count = dlsym(library, "count");
    *(void **)&all = dlsym(library, "all");
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (all() != 4) abort();
    return dlclose(library);
}
