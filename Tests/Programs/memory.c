// What goes wrong with a block of memory, by the program's argument: 'freed' is used after it is freed, 'twice' is freed twice, 'null' is
// used through a null pointer. A mutex protects the pointer, so that there is no data race.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *block;
static const char *mistake;

static int *take(void) {
    pthread_mutex_lock(&lock);
    int *taken = block;
    if (strcmp(mistake, "null") == 0) block = NULL;
    pthread_mutex_unlock(&lock);
    return taken;
}

static void *use(void *unused) {
    (void)unused;
    int *taken = take();
    pthread_mutex_lock(&lock);
    *taken = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *drop(void *unused) {
    (void)unused;
    int *taken = take();
    pthread_mutex_lock(&lock);
    if (strcmp(mistake, "null") != 0) free(taken);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int count, char **words) {
    mistake = count > 1 ? words[1] : "freed";
    block = malloc(sizeof *block);
    pthread_t one, other;
    pthread_create(&one, NULL, strcmp(mistake, "twice") == 0 ? drop : use, NULL);
    pthread_create(&other, NULL, drop, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
