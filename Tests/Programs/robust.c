// Mutexes whose owner ends, and locks of other kinds than usual.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table;
static int value;

static void *end_with_lock(void *unused) {
    int result = pthread_mutex_lock(&lock);
    assert(result == 0 || result == EOWNERDEAD);
    value++;
    return unused;
}

static void *change_and_end(void *unused) {
    end_with_lock(unused);
    pthread_cond_signal(&changed);
    return unused;
}

// The thread that changes the value ends before this one has the mutex again.
static void *wait_for_change(void *unused) {
    int result = pthread_mutex_lock(&lock);
    while (result == 0 && value == 0) result = pthread_cond_wait(&changed, &lock);
    assert(result == EOWNERDEAD && value == 1);
    assert(pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_consistent(&lock) == EINVAL);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *write_table(void *unused) {
    pthread_rwlock_wrlock(&table);
    value++;
    pthread_rwlock_unlock(&table);
    return unused;
}

static void *add(void *unused) {
    struct timespec limit = {.tv_sec = 1L << 40};
    if (pthread_mutex_timedlock(&lock, &limit) == ETIMEDOUT) pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void make_lock(int kind, int robust, int protocol) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutexattr_setrobust(&attributes, robust);
    assert(pthread_mutexattr_setprotocol(&attributes, protocol) == 0);
    assert(pthread_mutex_init(&lock, &attributes) == 0);
    pthread_mutexattr_destroy(&attributes);
}

static void start(pthread_t *thread, void *(*body)(void *)) { pthread_create(thread, NULL, body, NULL); }

static int recover(int mends, int kind) {
    pthread_t one;
    make_lock(kind, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
    start(&one, end_with_lock);
    int result = pthread_mutex_trylock(&lock);
    assert(result == 0 || result == EBUSY || result == EOWNERDEAD);
    if (result == EOWNERDEAD) assert(pthread_mutex_consistent(&lock) == 0);
    if (result != EBUSY) pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    if (result == EOWNERDEAD) return 0;
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
    if (mends) assert(pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == (mends ? 0 : ENOTRECOVERABLE));
    assert(mends || pthread_mutex_trylock(&lock) == ENOTRECOVERABLE);
    assert(mends || pthread_mutex_unlock(&lock) == EPERM);
    return 0;
}

static int wait_in_two(void) {
    pthread_t one, other;
    make_lock(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
    start(&one, wait_for_change);
    start(&other, change_and_end);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}

// A reader that reads again while a writer waits.
static int read_twice(int kind) {
    pthread_t one;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, kind);
    pthread_rwlock_init(&table, &attributes);
    start(&one, write_table);
    pthread_rwlock_rdlock(&table);
    pthread_rwlock_rdlock(&table);
    int seen = value;
    pthread_rwlock_unlock(&table);
    assert(seen == value);
    pthread_rwlock_unlock(&table);
    pthread_join(one, NULL);
    return 0;
}

static int add_twice(int kind, int protocol) {
    pthread_t one;
    make_lock(kind, PTHREAD_MUTEX_STALLED, protocol);
    start(&one, add);
    add(NULL);
    pthread_join(one, NULL);
    assert(value == 2);
    return 0;
}

int main(int count, char **words) {
    const char *name = count > 1 ? words[1] : "mends";
    if (strcmp(name, "mends") == 0) return recover(1, PTHREAD_MUTEX_NORMAL);
    if (strcmp(name, "recursive") == 0) return recover(1, PTHREAD_MUTEX_RECURSIVE);
    if (strcmp(name, "leaves") == 0) return recover(0, PTHREAD_MUTEX_NORMAL);
    if (strcmp(name, "waits") == 0) return wait_in_two();
    if (strcmp(name, "writers") == 0) return read_twice(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    if (strcmp(name, "readers") == 0) return read_twice(PTHREAD_RWLOCK_PREFER_WRITER_NP);
    if (strcmp(name, "inherits") == 0) return add_twice(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
    if (strcmp(name, "adaptive") == 0) return add_twice(PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE);
    // It cannot be mended.
    make_lock(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
    pthread_t one;
    start(&one, end_with_lock);
    pthread_join(one, NULL);
    pthread_mutex_lock(&lock);
    return 0;
}
