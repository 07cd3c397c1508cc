// Treiber's stack: two threads push and pop; nodes are freed at the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int value;
} node_t;

static _Atomic(node_t *) top;
static node_t *popped[2];

static void push(int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node)) {}
}

static node_t *pop(void) {
    node_t *node = atomic_load(&top);
    while (node && !atomic_compare_exchange_strong(&top, &node, node->next)) {}
    return node;
}

static void *use(void *own) {
    int me = *(int *)own;
    push(me + 1);
    popped[me] = pop();
    return NULL;
}

int main(void) {
    int numbers[] = {0, 1};
    pthread_t thread;
    pthread_create(&thread, NULL, use, &numbers[0]);
    use(&numbers[1]);
    pthread_join(thread, NULL);
    assert(popped[0] && popped[1] && popped[0]->value + popped[1]->value == 3 && !atomic_load(&top));
    free(popped[0]);
    free(popped[1]);
    return 0;
}
