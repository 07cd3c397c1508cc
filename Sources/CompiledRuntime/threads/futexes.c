// Futexes: the system call on which libraries build locks of their own. As in the kernel, a word at which threads wait
// has a lock and a queue: a thread reads the word and enters the queue under that lock. To the engine, they are a mutex
// and a condition beside the word (lab_beside). Also other system calls that a program makes by `syscall`.
//
// The lock orders memory accesses, as the kernel's does, although no manual promises that.
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

// What a thread waits for in FUTEX_WAIT.
typedef struct {
    // The address of the word. 0: the thread does not wait.
    uint64_t word;
    uint32_t bits;
    // Whether another thread has woken threads at the word, perhaps this one.
    int is_woken;
} waiting_t;
LAB_EACH_THREAD(waiting_t, waiting);

// A step on the lock or the queue of the word.
static int64_t request(compiled_kind_t kind, const volatile uint32_t *word, int64_t deadline, uint64_t site) {
    return lab_ask((compiled_request_t){
        .kind = kind, .detail = compiled_futex, .object = (uint64_t)lab_beside(word), .mutex = (uint64_t)lab_beside(word), .b = deadline,
        .site = site});
}

// Reads the word, as the kernel does: a step, like any atomic access.
static uint32_t value_of(const volatile uint32_t *word, uint64_t site) {
    lab_check_use((uint64_t)word, sizeof *word, site);
    lab_note_atomic(word, sizeof *word, 0);
    lab_touch(word, site);
    lab_ask((compiled_request_t){
        .kind = compiled_load, .size = sizeof *word, .object = (uint64_t)word, .order = __ATOMIC_RELAXED,
        .failure_order = __ATOMIC_RELAXED, .site = site});
    return *word;
}

// FUTEX_WAIT. Returns 0 or an error number. When a signal handler has run, the wait ends with EINTR, or, with
// SA_RESTART, begins again with a look at the word.
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
            // A thread that was interrupted and woken at the same time must not lose the wake-up.
            is_interrupted = lab_is_interrupted() && !own->is_woken;
        }
        lab_leave(place);
        if (failure || !is_interrupted) return failure;
        if (lab_answer(site) == lab_ends) return EINTR;
    }
}

// Returns how many threads are registered as waiting at the word, and in `matching` how many of them wait for one of
// these bits. A thread that was woken, or whose time is over, is registered until it has the lock again.
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

// FUTEX_WAKE, while the caller holds the word's lock. Returns how many threads were woken, at most `most`. The engine
// chooses which.
static int wake_held(const volatile uint32_t *word, int most, uint32_t bits, uint64_t site) {
    int matching, count = waiters(word, bits, &matching);
    if (matching == 0) return 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (waiting[thread].word == (uint64_t)word) waiting[thread].is_woken = 1;
    }
    // The engine cannot be asked to choose among only some of the waiting threads. So all are woken: to those that wait
    // for other bits, that is a spurious wake-up.
    if (matching < count) {
        request(compiled_broadcast, word, 0, site);
        return matching < most ? matching : most;
    }
    int woken = 0;
    while (woken < most && woken < count && request(compiled_signal, word, 0, site)) woken++;
    return woken;
}

// FUTEX_WAKE. Like the kernel, it does not read the word, which may have been freed.
static int wake(const volatile uint32_t *word, int most, uint32_t bits, uint64_t site) {
    lab_look_first(site);
    request(compiled_lock, word, COMPILED_NEVER, site);
    // The kernel compares with the limit only after it has woken a thread, so a limit below 1 means 1.
    int woken = wake_held(word, most < 1 ? 1 : most, bits, site);
    request(compiled_unlock, word, 0, site);
    return woken;
}

// The result of a system call: 0, or -1 with this error number in errno.
static long result_of(int failure) {
    if (!failure) return 0;
    errno = failure;
    return -1;
}

// The time limit of FUTEX_WAIT is relative, that of FUTEX_WAIT_BITSET absolute.
static int64_t deadline_of(int operation, const struct timespec *limit) {
    if (!limit) return COMPILED_NEVER;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) return lab_deadline_after(limit);
    return lab_deadline_of(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, limit);
}

static _Noreturn void refuse(int operation, uint64_t site) {
    static char text[128];
    snprintf(text, sizeof text, "uses operation %d of futexes, which threadlab does not support", operation);
    lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = site});
    __builtin_trap();
}

// FUTEX_REQUEUE and FUTEX_CMP_REQUEUE. The threads that would then wait at another word are woken instead. Their wait
// there is not modeled, so nothing is proved.
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

// a: the arguments of the system call: the word, the operation, the value or the number of threads to wake, the time
// limit or the number of threads to requeue, the other word, and the bits or the expected value.
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

EXPORTED long syscall(long number, ...) {
    // Reads six arguments, the most that a system call has. Those that the caller did not give are whatever the
    // registers hold.
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
        case SYS_getrandom: return lab_get_random((void *)a[0], a[1], (unsigned)a[2], site);
        case SYS_kill: return lab_kill((pid_t)a[0], (int)a[1], site);
        case SYS_tkill: return lab_tgkill(getpid(), (pid_t)a[0], (int)a[1], site);
        case SYS_tgkill: return lab_tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2], site);
        case SYS_sched_yield: return sched_yield();
        case SYS_exit_group: _exit((int)a[0]);
        case SYS_read: return lab_read((int)a[0], (void *)a[1], a[2], site);
        case SYS_write: return lab_write((int)a[0], (const void *)a[1], a[2], site);
        case SYS_close: return lab_close((int)a[0], site);
        case SYS_close_range: return lab_close_range((unsigned)a[0], (unsigned)a[1], (int)a[2], site);
        // The result in a kernel without this call, for which programs have to be prepared.
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
            // The call may close a standard descriptor.
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
