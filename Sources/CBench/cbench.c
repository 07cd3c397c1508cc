// The loops on raw POSIX threads with which benchmarks compare: see cbench.h.
#define _GNU_SOURCE
#include "cbench.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

uint64_t cbench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// A thread that does nothing, and the semaphore that ends it.
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

// What two threads need to pass a turn back and forth: each round is two signals and two waits.
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
    // Keeps the compiler from leaving the reads out.
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

static void *post(void *semaphore) {
    sem_post(semaphore);
    return NULL;
}

uint64_t cbench_create_detached(uint64_t count) {
    // Static: the last thread may still be inside sem_post when this function returns.
    static sem_t ended;
    pthread_attr_t attributes;
    sem_init(&ended, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    uint64_t time = 0;
    for (uint64_t i = 0; i < count; i++) {
        pthread_t thread;
        uint64_t begin = cbench_now();
        if (pthread_create(&thread, &attributes, post, &ended) != 0) return 0;
        time += cbench_now() - begin;
        while (sem_wait(&ended) != 0) {}
    }
    pthread_attr_destroy(&attributes);
    return time;
}

// A pipe for each direction between two threads.
struct pipes {
    int there[2], back[2];
    uint64_t count;
};

// Binds the thread to the first processor that it may use, so that two threads have to switch.
static void pin(void) {
    cpu_set_t set, own;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &set)) continue;
        CPU_SET(cpu, &own);
        break;
    }
    sched_setaffinity(0, sizeof own, &own);
}

static void *echo(void *argument) {
    struct pipes *pipes = argument;
    char byte;
    pin();
    while (read(pipes->there[0], &byte, 1) == 1) {
        if (write(pipes->back[1], &byte, 1) != 1) break;
    }
    return NULL;
}

static void *shout(void *argument) {
    struct pipes *pipes = argument;
    char byte = 0;
    pin();
    for (uint64_t i = 0; i < pipes->count; i++) {
        if (write(pipes->there[1], &byte, 1) != 1 || read(pipes->back[0], &byte, 1) != 1) break;
    }
    close(pipes->there[1]);
    return NULL;
}

uint64_t cbench_switch(uint64_t count) {
    struct pipes pipes = {.count = count};
    pthread_t threads[2];
    if (pipe(pipes.there) != 0 || pipe(pipes.back) != 0) return 0;
    uint64_t begin = cbench_now();
    if (pthread_create(&threads[0], NULL, echo, &pipes) != 0) return 0;
    if (pthread_create(&threads[1], NULL, shout, &pipes) != 0) return 0;
    pthread_join(threads[1], NULL);
    pthread_join(threads[0], NULL);
    uint64_t end = cbench_now();
    close(pipes.there[0]);
    close(pipes.back[0]);
    close(pipes.back[1]);
    return end - begin;
}

// The arguments of cbench_both, for its second thread.
struct both {
    void (*body)(void *);
    void *argument;
};

static void *run_body(void *argument) {
    struct both *both = argument;
    both->body(both->argument);
    return NULL;
}

uint64_t cbench_both(void (*body)(void *), void *argument) {
    struct both both = {body, argument};
    pthread_t thread;
    uint64_t begin = cbench_now();
    if (pthread_create(&thread, NULL, run_body, &both) != 0) return 0;
    body(argument);
    pthread_join(thread, NULL);
    return cbench_now() - begin;
}

// The object for which two threads compete, `count` times each.
struct contest {
    union {
        pthread_mutex_t mutex;
        pthread_rwlock_t lock;
        pthread_spinlock_t spin;
        pthread_barrier_t barrier;
        sem_t semaphore;
        _Atomic uint64_t number;
    };
    uint64_t count;
};

static void compete(void *argument) {
    struct contest *contest = argument;
    for (uint64_t i = 0; i < contest->count; i++) {
        pthread_mutex_lock(&contest->mutex);
        pthread_mutex_unlock(&contest->mutex);
    }
}

uint64_t cbench_contended(uint64_t count) {
    struct contest contest = {.mutex = PTHREAD_MUTEX_INITIALIZER, .count = count};
    return cbench_both(compete, &contest);
}

static void compete_to_write(void *argument) {
    struct contest *contest = argument;
    for (uint64_t i = 0; i < contest->count; i++) {
        pthread_rwlock_wrlock(&contest->lock);
        pthread_rwlock_unlock(&contest->lock);
    }
}

uint64_t cbench_contended_write_lock(uint64_t count) {
    struct contest contest = {.lock = PTHREAD_RWLOCK_INITIALIZER, .count = count};
    return cbench_both(compete_to_write, &contest);
}

static void compete_spinning(void *argument) {
    struct contest *contest = argument;
    for (uint64_t i = 0; i < contest->count; i++) {
        pthread_spin_lock(&contest->spin);
        pthread_spin_unlock(&contest->spin);
    }
}

uint64_t cbench_contended_spin_lock(uint64_t count) {
    struct contest contest = {.count = count};
    pthread_spin_init(&contest.spin, PTHREAD_PROCESS_PRIVATE);
    uint64_t time = cbench_both(compete_spinning, &contest);
    pthread_spin_destroy(&contest.spin);
    return time;
}

static void compete_for_permit(void *argument) {
    struct contest *contest = argument;
    for (uint64_t i = 0; i < contest->count; i++) {
        while (sem_wait(&contest->semaphore) != 0) {}
        sem_post(&contest->semaphore);
    }
}

uint64_t cbench_contended_semaphore(uint64_t count) {
    struct contest contest = {.count = count};
    sem_init(&contest.semaphore, 0, 1);
    uint64_t time = cbench_both(compete_for_permit, &contest);
    sem_destroy(&contest.semaphore);
    return time;
}

static void compete_adding(void *argument) {
    struct contest *contest = argument;
    for (uint64_t i = 0; i < contest->count; i++) atomic_fetch_add(&contest->number, 1);
}

uint64_t cbench_contended_add(uint64_t count) {
    struct contest contest = {.number = 0, .count = count};
    return cbench_both(compete_adding, &contest);
}

static void meet(void *argument) {
    struct contest *contest = argument;
    for (uint64_t i = 0; i < contest->count; i++) pthread_barrier_wait(&contest->barrier);
}

uint64_t cbench_barrier(uint64_t count) {
    struct contest contest = {.count = count};
    pthread_barrier_init(&contest.barrier, NULL, 2);
    uint64_t time = cbench_both(meet, &contest);
    pthread_barrier_destroy(&contest.barrier);
    return time;
}

uint64_t cbench_write_lock(uint64_t count) {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (pthread_rwlock_wrlock(&lock) != 0 || pthread_rwlock_unlock(&lock) != 0) return 0;
    }
    return cbench_now() - begin;
}

uint64_t cbench_spin_lock(uint64_t count) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (pthread_spin_lock(&lock) != 0 || pthread_spin_unlock(&lock) != 0) return 0;
    }
    uint64_t end = cbench_now();
    pthread_spin_destroy(&lock);
    return end - begin;
}

static void prepare(void) {}

uint64_t cbench_once(uint64_t count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (pthread_once(&once, prepare) != 0) return 0;
    }
    return cbench_now() - begin;
}

uint64_t cbench_recursive(uint64_t count) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (pthread_mutex_lock(&mutex) != 0 || pthread_mutex_unlock(&mutex) != 0) return 0;
    }
    uint64_t end = cbench_now();
    pthread_mutex_destroy(&mutex);
    pthread_mutexattr_destroy(&attributes);
    return end - begin;
}

uint64_t cbench_read_lock(uint64_t count) {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (pthread_rwlock_rdlock(&lock) != 0 || pthread_rwlock_unlock(&lock) != 0) return 0;
    }
    return cbench_now() - begin;
}

uint64_t cbench_add(uint64_t count) {
    _Atomic uint64_t value = 0;
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) atomic_fetch_add(&value, 1);
    return cbench_now() - begin;
}

uint64_t cbench_compare_exchange(uint64_t count) {
    _Atomic uint64_t value = 0;
    uint64_t begin = cbench_now();
    for (uint64_t i = 0; i < count; i++) {
        uint64_t expected = i;
        if (!atomic_compare_exchange_strong(&value, &expected, i + 1)) return 0;
    }
    return cbench_now() - begin;
}

// Reads a number of kilobytes from a file, after this word at the beginning of a line. 0: there is none.
static uint64_t kilobytes(const char *path, const char *word) {
    char line[256];
    unsigned long long value = 0;
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, word, strlen(word)) == 0 && sscanf(line + strlen(word), "%llu", &value) == 1) break;
    }
    fclose(file);
    return value;
}

static void *wait_for_end(void *end) {
    while (sem_wait(end) != 0) {}
    return NULL;
}

struct cbench_memory cbench_thread_memory(unsigned threads) {
    struct cbench_memory memory = {0};
    pthread_t *list = calloc(threads, sizeof *list);
    pthread_attr_t attributes;
    sem_t end;
    size_t size;
    unsigned started = 0;
    if (!list) return memory;
    sem_init(&end, 0, 0);
    uint64_t kernel = kilobytes("/proc/meminfo", "KernelStack:");
    uint64_t resident = kilobytes("/proc/self/status", "VmRSS:");
    while (started < threads && pthread_create(&list[started], NULL, wait_for_end, &end) == 0) started++;
    uint64_t kernel_after = kilobytes("/proc/meminfo", "KernelStack:");
    uint64_t resident_after = kilobytes("/proc/self/status", "VmRSS:");
    for (unsigned i = 0; i < started; i++) sem_post(&end);
    for (unsigned i = 0; i < started; i++) pthread_join(list[i], NULL);
    if (started > 0 && kernel_after > kernel) memory.kernel = (kernel_after - kernel) * 1024 / started;
    if (started > 0 && resident_after > resident) memory.touched = (resident_after - resident) * 1024 / started;
    pthread_attr_init(&attributes);
    if (pthread_attr_getstacksize(&attributes, &size) == 0) memory.reserved = size;
    pthread_attr_destroy(&attributes);
    sem_destroy(&end);
    free(list);
    return memory;
}
