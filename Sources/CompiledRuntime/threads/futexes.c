// Futexes: the system call that libraries make their own locks of. As in the kernel, a word that is waited at has a lock and a queue; a
// thread reads the word and enters the queue under that lock. Both are what the engine knows: a mutex and a condition at the word's address.
//
// The lock orders memory, as the kernel's does, although no manual promises that.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// What a thread waits for by the system call.
typedef struct {
    // 0: nothing.
    uint64_t word;
    uint32_t bits;
    // Another has woken threads there.
    int is_woken;
} waiting_t;
LAB_EACH_THREAD(waiting_t, waiting);

static int64_t request(compiled_kind_t kind, const volatile uint32_t *word, int64_t deadline, uint64_t site) {
    return lab_ask((compiled_request_t){
        .kind = kind, .detail = compiled_futex, .object = (uint64_t)lab_beside(word), .mutex = (uint64_t)lab_beside(word), .b = deadline,
        .site = site});
}

// What the kernel reads: a step, like any atomic access.
static uint32_t value_of(const volatile uint32_t *word, uint64_t site) {
    lab_check_use((uint64_t)word, sizeof *word, site);
    lab_note_atomic(word, sizeof *word, 0);
    lab_touch(word, site);
    lab_ask((compiled_request_t){
        .kind = compiled_load, .size = sizeof *word, .object = (uint64_t)word, .order = __ATOMIC_RELAXED,
        .failure_order = __ATOMIC_RELAXED, .site = site});
    return *word;
}

// A signal's handler ends it, if it is not to be restarted: then the word is looked at again.
static int wait(const volatile uint32_t *word, uint32_t value, uint32_t bits, int64_t deadline, uint64_t site) {
    lab_place_t place = {.address = lab_beside(word), .site = site, .is_futex = 1};
    waiting_t *own = &waiting[lab_state->current];
    while (1) {
        lab_enter_lock(place);
        int failure = 0, is_interrupted = 0;
        if (value_of(word, site) != value) {
            failure = EAGAIN;
        } else if (!(is_interrupted = lab_is_interrupted())) {
            *own = (waiting_t){.word = (uint64_t)word, .bits = bits};
            if (!lab_wait(place, deadline)) failure = ETIMEDOUT;
            own->word = 0;
            // One that was woken at the same time may not lose that.
            is_interrupted = lab_is_interrupted() && !own->is_woken;
        }
        lab_leave(place);
        if (failure || !is_interrupted) return failure;
        if (lab_answer(site) == lab_ends) return EINTR;
    }
}

// How many threads may be waiting at the word, and how many of them for one of these bits. One that has been woken, or whose time is over,
// counts until it has the lock again.
static int waiters(const volatile uint32_t *word, uint32_t bits, int *matching) {
    int count = 0;
    *matching = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (waiting[thread].word != (uint64_t)word) continue;
        count++;
        if (waiting[thread].bits & bits) ++*matching;
    }
    return count;
}

// With the lock held. Returns how many threads it has woken, at most this number: the engine chooses which.
static int wake_held(const volatile uint32_t *word, int most, uint32_t bits, uint64_t site) {
    int matching, count = waiters(word, bits, &matching);
    if (matching == 0) return 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (waiting[thread].word == (uint64_t)word) waiting[thread].is_woken = 1;
    }
    // Which of several is woken cannot be restricted: all are, and those that asked for other bits without a reason.
    if (matching < count) {
        request(compiled_broadcast, word, 0, site);
        return matching < most ? matching : most;
    }
    int woken = 0;
    while (woken < most && woken < count && request(compiled_signal, word, 0, site)) woken++;
    return woken;
}

// The kernel does not read the word, which may have been freed.
static int wake(const volatile uint32_t *word, int most, uint32_t bits, uint64_t site) {
    lab_look_first(site);
    request(compiled_lock, word, COMPILED_NEVER, site);
    // The kernel counts after it has woken one.
    int woken = wake_held(word, most < 1 ? 1 : most, bits, site);
    request(compiled_unlock, word, 0, site);
    return woken;
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

// Those that would wait at another word are woken instead: what they would wait for there is not seen, so nothing is proved.
static long requeue(const volatile uint32_t *word, int operation, int most, uint32_t expected, uint64_t site) {
    lab_note_call("futex (FUTEX_REQUEUE)");
    request(compiled_lock, word, COMPILED_NEVER, site);
    int is_outdated = (operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE && value_of(word, site) != expected;
    int woken = is_outdated ? 0 : wake_held(word, most, FUTEX_BITSET_MATCH_ANY, site);
    request(compiled_unlock, word, 0, site);
    return is_outdated ? result_of(EAGAIN) : woken;
}

static int sum(int one, int other) {
    int result;
    return __builtin_add_overflow(one, other, &result) ? INT_MAX : result;
}

// The arguments are those of the system call.
static long futex(const uint64_t a[6], uint64_t site) {
    const volatile uint32_t *word = (const volatile uint32_t *)a[0];
    int operation = (int)a[1];
    const struct timespec *limit = (const struct timespec *)a[3];
    if (a[0] % sizeof *word != 0) return result_of(EINVAL);
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
        uint32_t bits = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : (uint32_t)a[5];
        if (!bits || (limit && (limit->tv_sec < 0 || !lab_is_limit(CLOCK_MONOTONIC, limit, site)))) return result_of(EINVAL);
        return result_of(wait(word, (uint32_t)a[2], bits, deadline_of(operation, limit), site));
    }
    case FUTEX_WAKE: return wake(word, (int)a[2], FUTEX_BITSET_MATCH_ANY, site);
    case FUTEX_WAKE_BITSET: return a[5] & UINT32_MAX ? wake(word, (int)a[2], (uint32_t)a[5], site) : result_of(EINVAL);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: return requeue(word, operation, sum((int)a[2], (int)a[3]), (uint32_t)a[5], site);
    default: refuse(operation & FUTEX_CMD_MASK, site);
    }
}

// MARK: - System calls by their numbers

static long send_to_number(pid_t thread, int number) {
    int index = thread - getpid();
    if (index < 0 || index >= lab_state->thread_count) return result_of(ESRCH);
    return result_of(pthread_kill((pthread_t)lab_state->fibers[index].storage, number));
}

EXPORTED long syscall(long number, ...) {
    // All that a system call can have: those that were not given are whatever the registers have.
    va_list values;
    va_start(values, number);
    uint64_t a[6];
    for (int i = 0; i < 6; i++) a[i] = va_arg(values, uint64_t);
    va_end(values);
    uint64_t site = SITE;
    if (is_controlled()) {
        switch (number) {
        case SYS_futex: return futex(a, site);
        case SYS_gettid: return gettid();
        case SYS_getrandom: return getrandom((void *)a[0], a[1], (unsigned)a[2]);
        case SYS_kill: return kill((pid_t)a[0], (int)a[1]);
        case SYS_tkill: return send_to_number((pid_t)a[0], (int)a[1]);
        case SYS_tgkill: return send_to_number((pid_t)a[1], (int)a[2]);
        case SYS_sched_yield: return sched_yield();
        case SYS_exit_group: _exit((int)a[0]);
        case SYS_read: return read((int)a[0], (void *)a[1], a[2]);
        case SYS_write: return write((int)a[0], (const void *)a[1], a[2]);
        case SYS_close: return close((int)a[0]);
        case SYS_close_range: return close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]);
        // Programs do without it where the kernel does not have it.
        case SYS_futex_waitv: return result_of(ENOSYS);
        case SYS_fork: lab_refuse("fork", site); break;
        case SYS_vfork: lab_refuse("vfork", site); break;
        case SYS_clone:
        case SYS_clone3: lab_refuse("clone", site); break;
        case SYS_execve:
        case SYS_execveat: lab_refuse("execve", site); break;
        default:
            lab_note_call("syscall");
            lab_note_lasting_number(number, site);
            // It may close one.
            lab_note_closed(STDOUT_FILENO);
        }
    }
    int count = lab_begin_changes(site);
    long result = REAL(syscall, long, long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)(
        number, a[0], a[1], a[2], a[3], a[4], a[5]);
    lab_end_changes(count, site);
    return result;
}

#endif
