// Two threads read a variable of a library, of which the linker makes a copy in the program.
#include <assert.h>
#include <pthread.h>

extern int borrowed;

static void *use(void *unused) {
    assert(borrowed == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return 0;
}
