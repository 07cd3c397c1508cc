#include "cbench.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

uint64_t cbench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct company {
    pthread_t thread;
    sem_t end;
};

static void *keep_company(void *argument) {
    struct company *company = argument;
    while (sem_wait(&company->end) != 0) {}
    return NULL;
}

void *cbench_company_start(void) {
    struct company *company = malloc(sizeof *company);
    if (!company) return NULL;
    sem_init(&company->end, 0, 0);
    if (pthread_create(&company->thread, NULL, keep_company, company) == 0) return company;
    free(company);
    return NULL;
}

void cbench_company_end(void *argument) {
    struct company *company = argument;
    if (!company) return;
    sem_post(&company->end);
    pthread_join(company->thread, NULL);
    sem_destroy(&company->end);
    free(company);
}

uint64_t cbench_lock_unlock(uint64_t count) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (pthread_mutex_lock(&mutex) != 0) return 0;
        if (pthread_mutex_unlock(&mutex) != 0) return 0;
    }
    return cbench_now() - begin;
}

uint64_t cbench_try_lock(uint64_t count) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (pthread_mutex_trylock(&mutex) != 0) return 0;
        if (pthread_mutex_unlock(&mutex) != 0) return 0;
    }
    return cbench_now() - begin;
}

uint64_t cbench_semaphore(uint64_t count) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (sem_wait(&semaphore) != 0) return 0;
        if (sem_post(&semaphore) != 0) return 0;
    }
    uint64_t end = cbench_now();
    sem_destroy(&semaphore);
    return end - begin;
}

// Two threads pass a turn back and forth: each round is two signals and two waits.
struct table {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int turn;
    uint64_t count;
};

static void play(struct table *table, int me) {
    pthread_mutex_lock(&table->mutex);
    for (uint64_t i = 0; i < table->count; i++) {
        while (table->turn != me) pthread_cond_wait(&table->changed, &table->mutex);
        table->turn = !me;
        pthread_cond_signal(&table->changed);
    }
    pthread_mutex_unlock(&table->mutex);
}

static void *opponent(void *table) {
    play(table, 1);
    return NULL;
}

uint64_t cbench_ping_pong(uint64_t count) {
    struct table table = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, count};
    pthread_t thread;
    uint64_t begin = cbench_now();
    if (pthread_create(&thread, NULL, opponent, &table) != 0) return 0;
    play(&table, 0);
    pthread_join(thread, NULL);
    return cbench_now() - begin;
}

static void *nothing(void *argument) { return argument; }

uint64_t cbench_create_join(uint64_t count) {
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, nothing, NULL) != 0) return 0;
        pthread_join(thread, NULL);
    }
    return cbench_now() - begin;
}

uint64_t cbench_clock(uint64_t count) {
    uint64_t begin = cbench_now(), sum = 0;
    for (uint64_t i = 0; i < count; i++) sum += cbench_now();
    __asm__ volatile("" : : "r"(sum));
    return cbench_now() - begin;
}

uint64_t cbench_ticks(uint64_t count) {
#if defined(__x86_64__)
    uint64_t begin = cbench_now(), sum = 0;
    for (uint64_t i = 0; i < count; i++) sum += __rdtsc();
    __asm__ volatile("" : : "r"(sum));
    return cbench_now() - begin;
#else
    return cbench_clock(count);
#endif
}
