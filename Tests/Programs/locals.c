// Threads that wait for variables: those of 'main', which waits for them too, or of the program.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

typedef struct {
    atomic_int request, answer;
    char unused[3];
    char mark;
    atomic_int other;
} exchange;

static exchange global;

static void *answer(void *memory) {
    exchange *it = memory;
    while (!it->request) {}
    it->answer = 1;
    return NULL;
}

static void *write_other(void *memory) {
    exchange *it = memory;
    it->other = 1;
    it->other = 2;
    return NULL;
}

static void *write_beside(void *memory) {
    exchange *it = memory;
    it->mark = 1;
    it->answer = 1;
    return NULL;
}

static void *(*body_of(const char *way))(void *) {
    if (!strcmp(way, "beside")) return write_beside;
    return strcmp(way, "other") ? answer : write_other;
}

int main(int count, char **words) {
    exchange local;
    memset(&local, 0, sizeof local);
    exchange *it = count > 2 && !strcmp(words[2], "local") ? &local : &global;
    const char *way = count > 1 ? words[1] : "";
    pthread_t one, two;
    pthread_create(&one, NULL, body_of(way), it);
    // What it writes is not what is waited for.
    pthread_create(&two, NULL, write_other, it);
    it->request = 1;
    if (!strcmp(way, "count")) {
        for (int i = 0; i < 3 && !it->answer; i++) sched_yield();
    } else if (strcmp(way, "other")) {
        while (!it->answer) sched_yield();
    } else {
        while (it->other < 2) {}
    }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
