// Threads that do nothing but read until another has written.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_int flag, other_flag, next, serving;
// Not static: clang 21 with -O2 would leave it out, and the lock would not end.
atomic_int turn;
static atomic_flag held = ATOMIC_FLAG_INIT;
static _Atomic(long) owner;
static int shared, rounds;

static void *set(void *unused) {
    (void)unused;
    shared = 1;
    flag = 1;
    return NULL;
}

static void *await(void *unused) {
    (void)unused;
    while (!flag) {}
    assert(shared == 1);
    return NULL;
}

static void *await_politely(void *unused) {
    (void)unused;
    while (!atomic_load(&flag)) sched_yield();
    assert(shared == 1);
    return NULL;
}

static void *poll(void *unused) {
    (void)unused;
    while (!flag) usleep(1000);
    assert(shared == 1);
    return NULL;
}

static int look(atomic_int *at) { return *at; }

static void *await_both(void *unused) {
    (void)unused;
    while (!look(&flag) || !look(&other_flag)) {}
    assert(shared == 1);
    return NULL;
}

static void *set_other(void *unused) {
    (void)unused;
    other_flag = 1;
    return NULL;
}

// Looks three times at most.
static void *try(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        if (flag) return NULL;
    }
    rounds = 3;
    return NULL;
}

// The same, with a count that is not on its stack.
static void *count(void *unused) {
    (void)unused;
    while (!flag) {
        if (++rounds == 3) return NULL;
    }
    return NULL;
}

static void *exchange(void *unused) {
    (void)unused;
    while (atomic_flag_test_and_set(&held)) {}
    shared++;
    atomic_flag_clear(&held);
    return NULL;
}

static void *compare(void *me) {
    long none = 0;
    while (!atomic_compare_exchange_strong(&owner, &none, (long)me)) none = 0;
    shared++;
    owner = 0;
    return NULL;
}

static void *take_ticket(void *unused) {
    (void)unused;
    int mine = atomic_fetch_add(&next, 1);
    while (serving != mine) {}
    shared++;
    serving = mine + 1;
    return NULL;
}

static void *peterson(void *me) {
    int is_first = me == (void *)1;
    atomic_int *mine = is_first ? &flag : &other_flag, *others = is_first ? &other_flag : &flag;
    *mine = 1;
    turn = is_first;
    while (*others && turn == is_first) {}
    shared++;
    *mine = 0;
    return NULL;
}

// Looks, and then takes it: another may come between.
static void *take_late(void *unused) {
    (void)unused;
    while (flag) {}
    flag = 1;
    shared++;
    flag = 0;
    return NULL;
}

static void start(void *(*one)(void *), void *(*other)(void *), void *(*third)(void *)) {
    void *(*bodies[])(void *) = {one, other, third};
    pthread_t threads[3];
    for (int i = 0; i < 3 && bodies[i]; i++) pthread_create(&threads[i], NULL, bodies[i], (void *)(long)(i + 1));
    for (int i = 0; i < 3 && bodies[i]; i++) pthread_join(threads[i], NULL);
}

int main(int count_of_words, char **words) {
    (void)count_of_words;
    if (!strcmp(words[1], "flag")) start(set, await, NULL);
    if (!strcmp(words[1], "two")) start(set, await, await);
    if (!strcmp(words[1], "yield")) start(set, await_politely, NULL);
    if (!strcmp(words[1], "poll")) start(set, poll, NULL);
    if (!strcmp(words[1], "both")) start(set, await_both, set_other);
    if (!strcmp(words[1], "forever")) start(set, await_both, NULL);
    if (!strcmp(words[1], "try")) start(set, try, NULL);
    if (!strcmp(words[1], "count")) start(set, count, NULL);
    if (!strcmp(words[1], "exchange")) start(exchange, exchange, NULL);
    if (!strcmp(words[1], "compare")) start(compare, compare, NULL);
    if (!strcmp(words[1], "ticket")) start(take_ticket, take_ticket, NULL);
    if (!strcmp(words[1], "peterson")) start(peterson, peterson, NULL);
    if (!strcmp(words[1], "late")) start(take_late, take_late, NULL);
    if (!strcmp(words[1], "three")) start(take_ticket, take_ticket, take_ticket);
    return 0;
}
