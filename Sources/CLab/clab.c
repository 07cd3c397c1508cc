#define _GNU_SOURCE
#include "clab.h"

#include <execinfo.h>
#include <fcntl.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Thread_local void *clab_current_slot;

// The thread that is watched writes without synchronization, as it must; the caller has seen it stand still for long.
__attribute__((no_sanitize("thread"))) void *clab_peek(void **address) { return *(void *volatile *)address; }

uint64_t clab_repeat(uint64_t state, uint64_t factor, uint64_t addend, uint64_t turns) {
    for (uint64_t turn = 0; turn < turns; turn++) {
        state = state * factor + addend;
        __asm__ volatile("" : "+r"(state) : : "memory");
    }
    return state;
}

int clab_fork(void) { return fork(); }

void clab_call_on_new_thread(void *(*function)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    int failure = pthread_attr_init(&attributes);
    if (!failure) failure = pthread_attr_setstacksize(&attributes, 8 << 20);
    if (!failure) failure = pthread_create(&thread, &attributes, function, argument);
    if (failure) {
        function(argument);
        return;
    }
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_join(thread, NULL);
}

void clab_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int clab_fork_sibling(void) { return (int)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0); }

int clab_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int clab_terminal_rows(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

void clab_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

int clab_backtrace(void **frames, int most) { return backtrace(frames, most); }

int clab_thread_id(void) { return gettid(); }

_Noreturn void clab_end_thread(void) {
    for (;;) syscall(SYS_exit, 0);
}

static _Thread_local volatile sig_atomic_t clab_signalled __attribute__((tls_model("initial-exec")));

static void clab_handle(int number) {
    (void)number;
    clab_signalled = 1;
}

int clab_note_signal(int number) {
    struct sigaction action = {.sa_handler = clab_handle, .sa_flags = SA_RESTART};
    return sigaction(number, &action, NULL);
}

int clab_take_signal(void) {
    int was = clab_signalled;
    if (was) clab_signalled = 0;
    return was;
}

int clab_block_signal(int number, int isBlocked) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

int clab_wait_for_signal(int number, int64_t deadline) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = deadline - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    if (left < 0) left = 0;
    struct timespec time = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    if (sigtimedwait(&set, NULL, &time) == number) return 0;
    return errno == EAGAIN ? ETIMEDOUT : errno;
}

void clab_set_nice(int nice) { (void)setpriority(PRIO_PROCESS, (id_t)gettid(), nice); }

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLAB_REAL_TIME 1
#endif
#endif

static struct timespec clab_time(int64_t nanoseconds) {
    return (struct timespec){.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
}

#ifdef CLAB_REAL_TIME
static int64_t clab_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// The real-time clock's time at a moment of the monotonic clock; the distant future for one that is too far.
static struct timespec clab_real_time(int64_t deadline) {
    int64_t shift = clab_clock(CLOCK_REALTIME) - clab_clock(CLOCK_MONOTONIC), sum;
    if (__builtin_add_overflow(deadline, shift, &sum)) sum = INT64_MAX;
    return clab_time(sum < 0 ? 0 : sum);
}
#endif

int clab_join_until(unsigned long thread, int64_t deadline) {
#ifdef CLAB_REAL_TIME
    struct timespec t = clab_real_time(deadline);
    return pthread_timedjoin_np(thread, NULL, &t);
#else
    struct timespec t = clab_time(deadline);
    return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &t);
#endif
}

int clab_read_lock_until(void *rwlock, int64_t deadline) {
#ifdef CLAB_REAL_TIME
    struct timespec t = clab_real_time(deadline);
    return pthread_rwlock_timedrdlock(rwlock, &t);
#else
    struct timespec t = clab_time(deadline);
    return pthread_rwlock_clockrdlock(rwlock, CLOCK_MONOTONIC, &t);
#endif
}

int clab_write_lock_until(void *rwlock, int64_t deadline) {
#ifdef CLAB_REAL_TIME
    struct timespec t = clab_real_time(deadline);
    return pthread_rwlock_timedwrlock(rwlock, &t);
#else
    struct timespec t = clab_time(deadline);
    return pthread_rwlock_clockwrlock(rwlock, CLOCK_MONOTONIC, &t);
#endif
}

int clab_semaphore_wait_until(void *semaphore, int64_t deadline) {
#ifdef CLAB_REAL_TIME
    struct timespec t = clab_real_time(deadline);
    return sem_timedwait(semaphore, &t) == 0 ? 0 : errno;
#else
    struct timespec t = clab_time(deadline);
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &t) == 0 ? 0 : errno;
#endif
}

int clab_private_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }
