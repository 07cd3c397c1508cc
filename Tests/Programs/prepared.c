// What a thread gets is written while another runs, and read again when the thread has been joined.
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    long number, square;
} task;

static task *second;
static int looks;

static void *work(void *memory) {
    task *it = memory;
    it->square = it->number * it->number;
    return NULL;
}

static void *meddle(void *memory) {
    work(memory);
    second->number = 5;
    return NULL;
}

// With an argument, the first thread writes what the second one gets.
int main(int count, char **words) {
    (void)words;
    looks = count > 1;
    pthread_t one, other;
    task *first = calloc(1, sizeof *first);
    first->number = 2;
    second = calloc(1, sizeof *second);
    pthread_create(&one, NULL, looks ? meddle : work, first);
    second->number = 3;
    pthread_create(&other, NULL, work, second);
    pthread_join(one, NULL);
    first->number = 0;
    pthread_join(other, NULL);
    free(first);
    free(second);
    return 0;
}
