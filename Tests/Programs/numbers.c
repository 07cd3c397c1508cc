// Descriptors are numbers, which decide what happens.
#include <pthread.h>
#include <unistd.h>

static int one[2], other[2];

static void *close_end(void *unused) {
    close(other[1]);
    return unused;
}

static void *replace_end(void *unused) {
    dup2(one[1], other[1]);
    return unused;
}

int main(void) {
    pthread_t first, second;
    if (pipe(one) || pipe(other)) return 1;
    pthread_create(&first, NULL, close_end, NULL);
    pthread_create(&second, NULL, replace_end, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
