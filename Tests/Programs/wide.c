// Accesses of more than eight bytes, of bytes side by side, and of memory that is freed.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    long first, second, third;
    pthread_mutex_t mutex;
} record;

static const char *choice;
static record source, copied;
static char bytes[8];
static char much[8192];
static record *block;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is(const char *name) { return strcmp(choice, name) == 0; }

static void *one(void *unused) {
    if (is("copied")) memcpy(&copied, &source, sizeof copied);
    if (is("assigned")) copied = source;
    if (is("neighbors")) bytes[3] = 1;
    if (is("freed")) free(block);
    if (is("locked")) free(block);
    if (is("moved")) block = realloc(block, 2 * sizeof *block);
    if (is("many")) memset(much, 1, sizeof much);
    if (is("halves")) memset(much, 1, sizeof much / 2);
    if (is("ordered")) {
        pthread_mutex_lock(&lock);
        memset(much, 1, sizeof much);
        copied = source;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *other(void *unused) {
    record *own = block;
    if (is("copied")) source.third = 1;
    if (is("assigned")) copied.third = 1;
    if (is("neighbors")) bytes[4] = bytes[2];
    if (is("freed")) own->third = 1;
    if (is("locked")) pthread_mutex_lock(&own->mutex), pthread_mutex_unlock(&own->mutex);
    if (is("moved")) own->third = 1;
    if (is("many")) much[5000] = 2;
    if (is("halves")) much[5000] = 2;
    if (is("ordered")) {
        pthread_mutex_lock(&lock);
        much[5000] = 2;
        copied.third = 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(int count, char **words) {
    choice = count > 1 ? words[1] : "ordered";
    block = calloc(1, sizeof *block);
    pthread_mutex_init(&block->mutex, NULL);
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, other, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
