// A coroutine runs on a part of its own thread's stack, while another thread uses variables of the function that the part belongs to.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <ucontext.h>

typedef struct {
    int number;
    void *kept;
    sem_t begin;
} shared_t;

static void *use(void *argument) {
    shared_t *shared = argument;
    shared->number = 1;
    sem_post(&shared->begin);
    return NULL;
}

static shared_t *of_coroutine;

static void wait_for_it(void) {
    sem_wait(&of_coroutine->begin);
    exit(of_coroutine->number - 1);
}

int main(void) {
    struct {
        shared_t shared;
        char stack[1 << 16];
    } all;
    ucontext_t own, coroutine;
    of_coroutine = &all.shared;
    all.shared.kept = malloc(7);
    sem_init(&all.shared.begin, 0, 0);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = all.stack;
    coroutine.uc_stack.ss_size = sizeof all.stack;
    coroutine.uc_link = &own;
    makecontext(&coroutine, wait_for_it, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, use, &all.shared);
    pthread_detach(thread);
    swapcontext(&own, &coroutine);
}
