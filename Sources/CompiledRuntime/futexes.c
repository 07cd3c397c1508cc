// Futexes: the system call that libraries make their own locks of. As in the kernel, a word that is waited at has a lock and a queue; a
// thread reads the word and enters the queue under that lock. Both are what the engine knows: a mutex and a condition at the word's address.
//
// The lock orders memory, as the kernel's does, although no manual promises that.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t request(compiled_kind_t kind, const volatile uint32_t *word, int64_t deadline, uint64_t site) {
    return lab_ask((compiled_request_t){
        .kind = kind, .detail = compiled_futex, .object = (uint64_t)word, .mutex = (uint64_t)word, .b = deadline, .site = site});
}

// What the kernel reads: a step, like any atomic access.
static uint32_t value_of(const volatile uint32_t *word, uint64_t site) {
    lab_check_use((uint64_t)word, site);
    lab_learn_atomic(word, sizeof *word, 0);
    lab_touch(word, site);
    lab_ask((compiled_request_t){
        .kind = compiled_load, .detail = sizeof *word, .object = (uint64_t)word, .order = __ATOMIC_RELAXED,
        .failure_order = __ATOMIC_RELAXED, .site = site});
    return *word;
}

// The threads in the queue of a word that no other thread has woken yet.
static futex_t *queue_of(const volatile uint32_t *word) {
    futex_t *unused = NULL;
    for (futex_t *queue = lab_state->futexes; queue < lab_state->futexes + MOST_THREADS; queue++) {
        if (queue->waiters == 0) unused = queue;
        else if (queue->word == (uint64_t)word) return queue;
    }
    // There are no more queues than threads that wait.
    unused->word = (uint64_t)word;
    return unused;
}

static int wait(const volatile uint32_t *word, uint32_t value, int64_t deadline, uint64_t site) {
    lab_check_use((uint64_t)word, site);
    request(compiled_lock, word, COMPILED_NEVER, site);
    int failure = 0;
    if (value_of(word, site) != value) {
        failure = EAGAIN;
    } else {
        queue_of(word)->waiters++;
        if (!request(compiled_wait, word, deadline, site)) {
            queue_of(word)->waiters--;
            failure = ETIMEDOUT;
        }
    }
    request(compiled_unlock, word, 0, site);
    return failure;
}

// Returns how many threads it has woken.
static int wake(const volatile uint32_t *word, unsigned count, uint64_t site) {
    lab_check_use((uint64_t)word, site);
    request(compiled_lock, word, COMPILED_NEVER, site);
    futex_t *queue = queue_of(word);
    unsigned woken = count < queue->waiters ? count : queue->waiters;
    int wakes_all = woken == queue->waiters;
    queue->waiters -= woken;
    if (woken > 0 && wakes_all) {
        request(compiled_broadcast, word, 0, site);
    } else {
        for (unsigned i = 0; i < woken; i++) request(compiled_signal, word, 0, site);
    }
    request(compiled_unlock, word, 0, site);
    return (int)woken;
}

static long result_of(int failure) {
    if (!failure) return 0;
    errno = failure;
    return -1;
}

static int64_t deadline_of(int operation, const struct timespec *limit) {
    if (!limit) return COMPILED_NEVER;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) return lab_deadline_after(limit);
    return lab_deadline_of(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, limit);
}

static _Noreturn void refuse(int operation, uint64_t site) {
    static char text[128];
    snprintf(text, sizeof text, "uses operation %d of futexes, which threadlab does not support", operation);
    lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
    __builtin_trap();
}

// The arguments are those of the system call.
static long futex(const volatile uint32_t *word, int operation, uint32_t value, uint64_t limit, uint64_t site) {
    const struct timespec *time = (const struct timespec *)limit;
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        if (time && !lab_is_limit(CLOCK_MONOTONIC, time)) return result_of(EINVAL);
        return result_of(wait(word, value, deadline_of(operation, time), site));
    case FUTEX_WAKE: return wake(word, value, site);
    // Those that have not asked for these bits are woken too: any wait may end without a reason.
    case FUTEX_WAKE_BITSET: return wake(word, UINT_MAX, site);
    default: refuse(operation & FUTEX_CMD_MASK, site);
    }
}

// Those that would wait at another word are woken instead.
static long requeue(const volatile uint32_t *word, int operation, uint32_t value, uint32_t moved, uint32_t expected, uint64_t site) {
    if ((operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE && value_of(word, site) != expected) return result_of(EAGAIN);
    return wake(word, value > UINT_MAX - moved ? UINT_MAX : value + moved, site);
}

EXPORTED long syscall(long number, ...) {
    // All that a system call can have: those that were not given are whatever the registers have.
    va_list values;
    va_start(values, number);
    uint64_t a[6];
    for (int i = 0; i < 6; i++) a[i] = va_arg(values, uint64_t);
    va_end(values);
    if (!is_controlled()) {
        return REAL(syscall, long, long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)(
            number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    uint64_t site = SITE;
    switch (number) {
    case SYS_futex: {
        const volatile uint32_t *word = (const volatile uint32_t *)a[0];
        int command = (int)a[1] & FUTEX_CMD_MASK;
        if (command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE) {
            return requeue(word, (int)a[1], (uint32_t)a[2], (uint32_t)a[3], (uint32_t)a[5], site);
        }
        return futex(word, (int)a[1], (uint32_t)a[2], a[3], site);
    }
    case SYS_gettid: return gettid();
    case SYS_sched_yield: return sched_yield();
    // Programs do without it where the kernel has it not.
    case SYS_futex_waitv: return result_of(ENOSYS);
    default:
        lab_note_call("syscall");
        return REAL(syscall, long, long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)(
            number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
}

#endif
