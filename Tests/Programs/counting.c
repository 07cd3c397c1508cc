// A library whose code is in a file of its own.
#include <pthread.h>

int total;
static int hidden;
static __thread int own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void count(void) { total++; }

void count_safely(void) {
    pthread_mutex_lock(&lock);
    hidden++;
    pthread_mutex_unlock(&lock);
    own++;
}

int counted_by_all(void) { return hidden; }
int counted_by_this(void) { return own; }
