// Three philosophers, each of whom takes the fork with the lower number first.
#include <pthread.h>

enum { COUNT = 3 };
static pthread_mutex_t forks[COUNT];
static int meals[COUNT];

static void *dine(void *own) {
    int number = *(int *)own, other = (number + 1) % COUNT;
    int first = number < other ? number : other, second = number < other ? other : number;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[number]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void) {
    int numbers[COUNT];
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++) pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < COUNT; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, dine, &numbers[i]);
    }
    for (int i = 0; i < COUNT; i++) pthread_join(threads[i], NULL);
    return 0;
}
