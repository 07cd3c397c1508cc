// A program that closes its standard output, as one does to know that all is written: it takes another step if that is closed already.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *step(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(int count, char **words) {
    pthread_t threads[2];
    if (dup(STDOUT_FILENO) < 0) step(NULL);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, step, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    if (count > 1 && strcmp(words[1], "stream") == 0) fclose(stdout);
    else if (count > 1 && strcmp(words[1], "copy") == 0) dup2(STDERR_FILENO, STDOUT_FILENO);
    else close(STDOUT_FILENO);
    return 0;
}
