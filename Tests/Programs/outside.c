// What more than the schedule decides.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

extern int number;
void change(void);

static const char *choice;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused) {
    pthread_mutex_lock(&mutex);
    change();
    if (strcmp(choice, "process") == 0) number += getpid() == 1;
    if (strcmp(choice, "library") == 0) number += dlsym(RTLD_DEFAULT, "environ") == NULL;
    if (strcmp(choice, "input") == 0) number += (int)read(-1, &number, 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char **words) {
    choice = count > 1 ? words[1] : "";
    pthread_t first, second;
    pthread_create(&first, NULL, use, NULL);
    pthread_create(&second, NULL, use, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
