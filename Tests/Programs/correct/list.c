// Two threads insert into a sorted list, locking node after node.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef struct node {
    pthread_mutex_t mutex;
    int value;
    struct node *next;
} node_t;

static node_t last = {PTHREAD_MUTEX_INITIALIZER, 100, NULL};
static node_t head = {PTHREAD_MUTEX_INITIALIZER, 0, &last};

static void *insert(void *new) {
    node_t *node = new, *before = &head;
    pthread_mutex_init(&node->mutex, NULL);
    pthread_mutex_lock(&before->mutex);
    node_t *next = before->next;
    pthread_mutex_lock(&next->mutex);
    while (next->value < node->value) {
        pthread_mutex_unlock(&before->mutex);
        before = next;
        next = next->next;
        pthread_mutex_lock(&next->mutex);
    }
    node->next = next;
    before->next = node;
    pthread_mutex_unlock(&next->mutex);
    pthread_mutex_unlock(&before->mutex);
    return NULL;
}

int main(void) {
    node_t nodes[2] = {{.value = 5}, {.value = 7}};
    pthread_t thread;
    pthread_create(&thread, NULL, insert, &nodes[0]);
    insert(&nodes[1]);
    pthread_join(thread, NULL);
    assert(head.next == &nodes[0] && nodes[0].next == &nodes[1] && nodes[1].next == &last);
    return 0;
}
