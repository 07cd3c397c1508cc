// Memory of the heap that threads get by pointers, by the program's argument. Where it is allocated says little: 'xmalloc' does.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int value;
    struct item *next;
};

struct queue {
    int head, tail;
    struct item *first;
    pthread_mutex_t lock;
};

struct account {
    long number, balance;
};

static const char *choice;
static struct queue *shared;
static struct account *accounts;
static int *values;
static _Thread_local int counter;
static int *of_main;
static struct account *both[2];

static int is(const char *name) { return strcmp(choice, name) == 0; }

static void *xmalloc(size_t size) {
    void *block = calloc(1, size);
    if (!block) abort();
    return block;
}

static struct queue *make_queue(void) {
    struct queue *made = xmalloc(sizeof *made);
    pthread_mutex_init(&made->lock, NULL);
    return made;
}

// Of several pointers to a block, the innermost function's own is taken.
__attribute__((noinline)) static void lengthen(void) { shared->tail++; }

static void *change(void *given) {
    struct queue *q = given;
    if (is("member")) q->head++;
    if (is("global")) lengthen();
    if (is("inner")) q->first->value++;
    if (is("pointer")) q->first = q->first ? NULL : (struct item *)&accounts[1];
    if (is("element")) accounts[2].balance++;
    if (is("value")) values[3]++;
    if (is("lock")) pthread_mutex_lock(&q->lock);
    if (is("raw")) ((char *)given)[200]++;
    if (is("thread")) ++*of_main;
    return NULL;
}

static void pay(struct account *own) { own->balance++; }

static void *pay_both(void *unused) {
    pay(both[0]);
    pay(both[1]);
    return unused;
}

int main(int words, char **word) {
    choice = words > 1 ? word[1] : "member";
    int is_raw = is("raw"), has_items = is("inner");
    shared = is_raw ? xmalloc(256) : make_queue();
    if (has_items) shared->first = xmalloc(sizeof *shared->first);
    accounts = xmalloc(3 * sizeof *accounts);
    values = xmalloc(5 * sizeof *values);
    of_main = &counter;
    for (int i = 0; i < 2; i++) both[i] = xmalloc(sizeof *both[i]);
    pthread_t one, other;
    void *(*body)(void *) = is("own") ? pay_both : change;
    pthread_create(&one, NULL, body, shared);
    pthread_create(&other, NULL, body, shared);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
