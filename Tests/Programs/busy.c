// Threads that take no steps for long: until time has passed, until another thread has written, or until they have computed enough.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static long counter, result;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;

static long now(void) {
    struct timeval time;
    gettimeofday(&time, NULL);
    return time.tv_sec * 1000000L + time.tv_usec;
}

static void *count(void *unused) {
    while (!stop) counter++;
    return unused;
}

static long compute(int n) { return n < 2 ? n : compute(n - 1) + compute(n - 2); }

static void *work(void *unused) {
    result = compute(32);
    return unused;
}

// Items of work with a deadline that is far away.
static void *serve(void *unused) {
    long start = now();
    for (int i = 0; i < 400; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
        assert(now() < start + 1000000);
    }
    return unused;
}

int main(int argument_count, char **arguments) {
    assert(errno == 0);
    const char *way = argument_count > 1 ? arguments[1] : "time";
    pthread_t thread;
    if (!strcmp(way, "time")) {
        long start = now();
        while (now() < start + 100000) {}
        assert(now() < start + 1000000);
        return 0;
    }
    if (!strcmp(way, "serves")) {
        serve(NULL);
        return 0;
    }
    pthread_create(&thread, NULL, !strcmp(way, "computes") ? work : count, NULL);
    if (strcmp(way, "computes")) usleep(1000), stop = 1;
    pthread_join(thread, NULL);
    return result < 0;
}
