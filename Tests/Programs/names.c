// A program whose own functions have names of functions that the runtime replaces; and two threads that read a file into one variable.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>

static int file;
static char byte;
static int failures;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

extern long read(int, void *, unsigned long);

void error(const char *text);
void error(const char *text) { failures += text != NULL; }

int pause(void);
int pause(void) { return 7; }

int system(const char *command);
int system(const char *command) { return command == NULL; }

static void *use(void *reads) {
    if (reads) {
        read(file, &byte, 1);
        return NULL;
    }
    pthread_mutex_lock(&mutex);
    error("one");
    assert(pause() == 7 && system(NULL) == 1);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(int count, char **words) {
    (void)words;
    void *reads = count > 1 ? &file : NULL;
    if (reads) file = open("/dev/zero", O_RDONLY);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, reads);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
