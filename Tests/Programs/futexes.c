// Locks and queues made of futexes, as libraries make their own. Argument: which one, correct or with a mistake.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint32_t word;
static int counter, forgets_waiters;
static long woken;

static long futex(_Atomic uint32_t *address, int operation, uint32_t value, const struct timespec *limit) {
    return syscall(SYS_futex, address, operation | FUTEX_PRIVATE_FLAG, value, limit, NULL, 0);
}

// 0: free, 1: held, 2: held, and threads may wait (Drepper, "Futexes are tricky", the third mutex).
static void lock(void) {
    uint32_t found = 0;
    if (atomic_compare_exchange_strong(&word, &found, 1)) return;
    if (found != 2) found = atomic_exchange(&word, forgets_waiters ? 1 : 2);
    while (found != 0) {
        futex(&word, FUTEX_WAIT, forgets_waiters ? 1 : 2, NULL);
        found = atomic_exchange(&word, forgets_waiters ? 1 : 2);
    }
}

static void unlock(void) {
    if (atomic_exchange(&word, 0) == 2) futex(&word, FUTEX_WAKE, 1, NULL);
}

static void *add(void *unused) {
    lock();
    counter++;
    unlock();
    return unused;
}

static void *wait_for_one(void *unused) {
    while (atomic_load(&word) == 0) futex(&word, FUTEX_WAIT, 0, NULL);
    return unused;
}

static void *wait_in_time(void *unused) {
    struct timespec limit = {.tv_sec = 3600};
    long result = futex(&word, FUTEX_WAIT, 0, &limit);
    assert(result == 0 || errno == ETIMEDOUT || errno == EAGAIN);
    return unused;
}

static void *wait_for_bits(void *unused) {
    while (atomic_load(&word) == 0) {
        syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 1);
    }
    return unused;
}

static void with_two(void *(*one)(void *), void *(*other)(void *), void (*then)(void)) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    if (then) then();
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

static void wake_all(void) {
    atomic_store(&word, 1);
    woken = futex(&word, FUTEX_WAKE, INT32_MAX, NULL);
    assert(woken >= 0 && woken <= 2);
}

static void wake_one(void) {
    atomic_store(&word, 1);
    futex(&word, FUTEX_WAKE, 1, NULL);
}

static void wake_less_than_none(void) {
    atomic_store(&word, 1);
    futex(&word, FUTEX_WAKE, (uint32_t)-1, NULL);
}

static void wake_one_of_all_bits(void) {
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wait_shortly(void) {
    struct timespec limit = {.tv_nsec = 1000};
    long result = futex(&word, FUTEX_WAIT, 0, &limit);
    assert(result == 0 || errno == ETIMEDOUT);
}

static void *wait_twice(void *unused) {
    wait_shortly();
    wait_shortly();
    return unused;
}

// Threads whose time is over are not woken, and when all have ended there are none.
static void count_woken(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_twice, NULL);
    long first = futex(&word, FUTEX_WAKE, INT32_MAX, NULL), second = futex(&word, FUTEX_WAKE, INT32_MAX, NULL);
    assert(first >= 0 && first <= 1 && second >= 0 && second <= 1);
    pthread_join(thread, NULL);
    assert(futex(&word, FUTEX_WAKE, INT32_MAX, NULL) == 0);
}

static void wake_bits(void) {
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 2, NULL, NULL, 1);
}

static void move_all(void) {
    static _Atomic uint32_t elsewhere;
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, (void *)1, &elsewhere, 1);
    futex(&elsewhere, FUTEX_WAKE, INT32_MAX, NULL);
}

int main(int count, char **arguments) {
    const char *which = count > 1 ? arguments[1] : "lock";
    if (strcmp(which, "lock") == 0) with_two(add, add, NULL), assert(counter == 2);
    if (strcmp(which, "forgets") == 0) forgets_waiters = 1, with_two(add, add, NULL);
    if (strcmp(which, "all") == 0) with_two(wait_for_one, wait_for_one, wake_all);
    if (strcmp(which, "one") == 0) with_two(wait_for_one, wait_for_one, wake_one);
    if (strcmp(which, "time") == 0) with_two(wait_in_time, wait_in_time, NULL);
    if (strcmp(which, "bits") == 0) with_two(wait_for_bits, wait_for_bits, wake_bits);
    if (strcmp(which, "negative") == 0) with_two(wait_for_one, wait_for_one, wake_less_than_none);
    if (strcmp(which, "any") == 0) with_two(wait_for_one, wait_for_one, wake_one_of_all_bits);
    if (strcmp(which, "count") == 0) count_woken();
    if (strcmp(which, "requeue") == 0) with_two(wait_for_one, wait_for_one, move_all);
    if (strcmp(which, "priority") == 0) futex(&word, FUTEX_LOCK_PI, 0, NULL);
    return 0;
}
