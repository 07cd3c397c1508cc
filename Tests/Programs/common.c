// Functions that share something of the C library's between threads: common WHICH.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *which;
static char text[8] = "abcdefg";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int drawn[2];

static int draws(void) { return !strcmp(which, "rand") || !strcmp(which, "first"); }

static void *use(void *unused) {
    time_t moment = 0;
    struct tm result;
    char words[] = "one two";
    if (!strcmp(which, "gmtime")) gmtime(&moment);
    if (!strcmp(which, "ctime")) ctime(&moment);
    if (!strcmp(which, "gmtime_r")) gmtime_r(&moment, &result);
    if (!strcmp(which, "strtok")) strtok(words, " ");
    if (!strcmp(which, "lrand48")) lrand48();
    if (!strcmp(which, "setenv")) setenv("COMMON", "1", 1);
    if (!strcmp(which, "getenv")) getenv("COMMON");
    if (draws()) drawn[0] = rand();
    if (!strcmp(which, "memchr")) return memchr(text, 'a', sizeof text) == text ? unused : text;
    if (!strcmp(which, "locked") || !strcmp(which, "late")) {
        pthread_mutex_lock(&lock);
        struct tm *shared = gmtime(&moment);
        int year = shared->tm_year;
        pthread_mutex_unlock(&lock);
        if (!strcmp(which, "late")) year = shared->tm_year;
        if (year != 70) abort();
    }
    return unused;
}

static void *change(void *unused) {
    if (!strcmp(which, "memchr")) text[5] = 'x';
    else if (draws()) drawn[1] = rand();
    else use(unused);
    return unused;
}

int main(int argc, char **argv) {
    which = argc > 1 ? argv[1] : "";
    srand(7);
    int first = rand(), second = rand();
    srand(7);
    pthread_t one, two;
    pthread_create(&one, NULL, use, NULL);
    pthread_create(&two, NULL, change, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (!strcmp(which, "rand") && drawn[0] + drawn[1] != first + second) abort();
    if (!strcmp(which, "first") && drawn[0] != first) abort();
}
