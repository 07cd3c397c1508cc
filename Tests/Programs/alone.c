// Functions of the library of which it is not told what they access: the main thread calls them alone, or with an argument others at once.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int calls_beside, numbers[] = {3, 1, 2};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    if (calls_beside) qsort(numbers, 3, sizeof *numbers, compare);
    numbers[0]++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char **words) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (getopt(count, words, "b") == 'b') calls_beside = 1;
    qsort(numbers, 3, sizeof *numbers, compare);
    srand(7);
    int seven = 7, *place = bsearch(&seven, numbers, 3, sizeof *numbers, compare);
    char text[] = "a b";
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return place || !strtok(text, " ") || rand() == 0 || getuid() != getuid();
}
