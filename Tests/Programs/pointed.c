// Loops whose rounds seem alike, and are not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct { atomic_int is_ready; } node_t;
static node_t one, two;
node_t *_Atomic head = &one;
atomic_int value, flag = 1;
volatile int seen;

// Where it looks has changed when it comes to the same place again.
static void *await_node(void *unused) {
    node_t *node = head;
    do {
        if (node->is_ready) break;
    } while ((node = head));
    return unused;
}

static void make_next(void) {
    two.is_ready = 1;
    head = &two;
}

// Reads in rounds, and then writes what is there.
static void *exchange(void *unused) {
    for (volatile int i = 0; i < 3; i++) seen = value;
    atomic_exchange(&flag, 1);
    return unused;
}

static void *await_and_sleep(void *unused) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    while (!value) {}
    sleep(1);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec > before.tv_sec);
    return unused;
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "next";
    int is_next = !strcmp(way, "next"), is_once = !strcmp(way, "once");
    pthread_t thread;
    pthread_create(&thread, NULL, is_next ? await_node : is_once ? exchange : await_and_sleep, NULL);
    if (is_next) make_next();
    else if (is_once) seen = *(volatile int *)&flag;
    else value = 1;
    pthread_join(thread, NULL);
    return 0;
}
