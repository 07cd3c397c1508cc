// Atomic operations of 16 bytes: a stack whose head has a count, and one word written in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    struct node *next;
} node;

typedef struct {
    node *first;
    long count;
} head;

static _Atomic(head) stack;
static const char *way;

static void push(node *it) {
    head before = atomic_load(&stack), after;
    do {
        it->next = before.first;
        after.first = it;
        after.count = before.count + 1;
    } while (!atomic_compare_exchange_weak(&stack, &before, after));
}

static void *work(void *unused) {
    (void)unused;
    node *it = malloc(sizeof *it);
    if (!strcmp(way, "lost")) {
        head now = atomic_load(&stack);
        it->next = now.first;
        now.first = it;
        now.count++;
        atomic_store(&stack, now);
    } else {
        push(it);
    }
    return NULL;
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    head end = atomic_exchange(&stack, (head){0});
    long found = 0;
    for (node *it = end.first; it; found++) {
        node *next = it->next;
        free(it);
        it = next;
    }
    assert(end.count == 2 && found == 2);
    return 0;
}
