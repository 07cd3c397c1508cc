// Handlers of signals that run while their thread is blocked: the argument says by what.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *way;
static int ends[2], word;
static sem_t handled, permits;
static volatile sig_atomic_t count, order;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_set;
static pthread_t first;
static sigjmp_buf place;

static int is(const char *name) { return strcmp(way, name) == 0; }

static void handle(int number) {
    (void)number;
    count++;
    sem_post(&handled);
}

static void write_byte(int number) {
    (void)number;
    assert(write(ends[1], "s", 1) == 1);
}

static void set_handler(int number, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    assert(sigaction(number, &action, NULL) == 0);
}

static sigset_t only(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

// Waits until the handler of the thread has run, although what the thread waits for does not come before that.
static void wait_for_handler(pthread_t thread) {
    assert(pthread_kill(thread, SIGUSR1) == 0);
    assert(sem_wait(&handled) == 0);
}

static void *signal_first(void *unused) {
    pthread_kill(first, SIGUSR1);
    return unused;
}

static void *wait_for_first(void *unused) {
    wait_for_handler(first);
    return unused;
}

static void initialize(void) { is_set = 1; }

static void initialize_late(void) { wait_for_handler(first); }

static void *block(void *unused) {
    if (is("mutex")) pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex);
    if (is("reader")) pthread_rwlock_rdlock(&shared), pthread_rwlock_unlock(&shared);
    if (is("writer")) pthread_rwlock_wrlock(&shared), pthread_rwlock_unlock(&shared);
    if (is("spin")) pthread_spin_lock(&spin), pthread_spin_unlock(&spin);
    if (is("barrier")) pthread_barrier_wait(&barrier);
    if (is("permit")) assert(sem_wait(&permits) == 0);
    if (is("condition")) {
        pthread_mutex_lock(&mutex);
        while (!is_set) pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    if (is("futex")) {
        while (!__atomic_load_n(&word, __ATOMIC_SEQ_CST)) syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    }
    return unused;
}

static void release(void) {
    if (is("mutex")) pthread_mutex_unlock(&mutex);
    if (is("reader") || is("writer")) pthread_rwlock_unlock(&shared);
    if (is("spin")) pthread_spin_unlock(&spin);
    if (is("barrier")) pthread_barrier_wait(&barrier);
    if (is("permit")) sem_post(&permits);
    if (is("condition")) {
        pthread_mutex_lock(&mutex);
        is_set = 1;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
    }
    if (is("futex")) {
        __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
        syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

static void run_blocked(void) {
    set_handler(SIGUSR1, handle, SA_RESTART);
    if (is("mutex")) pthread_mutex_lock(&mutex);
    if (is("reader") || is("writer")) pthread_rwlock_wrlock(&shared);
    if (is("spin")) pthread_spin_lock(&spin);
    pthread_t thread;
    pthread_create(&thread, NULL, block, NULL);
    wait_for_handler(thread);
    release();
    pthread_join(thread, NULL);
    assert(count == 1);
}

static void run_once(void) {
    pthread_once(&once, initialize_late);
}

static void *call_once_late(void *unused) {
    run_once();
    return unused;
}

// The call that fails with EINTR, with nothing that could end it otherwise.
static int fails(void) {
    char byte;
    struct timespec second = {.tv_sec = 1000}, rest = {0};
    struct pollfd file = {.fd = ends[0], .events = POLLIN};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    sigset_t none;
    sigemptyset(&none);
    struct epoll_event event;
    int epoll = -1;
    if (is("epoll")) {
        epoll = epoll_create1(0);
        event = (struct epoll_event){.events = EPOLLIN};
        epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
    }
    if (is("read")) return read(ends[0], &byte, 1) == -1;
    if (is("poll")) return poll(&file, 1, -1) == -1;
    if (is("nothing")) return poll(NULL, 0, 1000000) == -1;
    if (is("ppoll")) return ppoll(&file, 1, NULL, &none) == -1;
    if (is("select")) return select(ends[0] + 1, &set, NULL, NULL, NULL) == -1;
    if (is("pselect")) return pselect(ends[0] + 1, &set, NULL, NULL, NULL, &none) == -1;
    if (is("epoll")) return epoll_pwait(epoll, &event, 1, -1, &none) == -1;
    if (is("sem")) return sem_wait(&permits) == -1;
    if (is("suspend")) return sigsuspend(&none);
    if (is("sleep")) return nanosleep(&second, &rest) == -1 && rest.tv_sec <= 1000;
    if (is("wait")) {
        sigset_t set = only(SIGUSR2);
        return sigwaitinfo(&set, NULL) == -1;
    }
    if (is("flood")) {
        static char much[1 << 20];
        ssize_t size = write(ends[1], much, sizeof much);
        errno = EINTR;
        return size > 0 && size < (ssize_t)sizeof much;
    }
    return 0;
}

// Ends what the signal came too early for.
static void *signal_and_close(void *unused) {
    wait_for_handler(first);
    if (is("sem")) sem_post(&permits);
    else if (is("flood")) close(ends[0]);
    else if (is("wait")) pthread_kill(first, SIGUSR2);
    else close(ends[1]);
    return unused;
}

static int is_atomic(void) { return is("ppoll") || is("pselect") || is("epoll") || is("suspend"); }

static void run_failing(void) {
    set_handler(SIGUSR1, handle, 0);
    set_handler(SIGPIPE, SIG_IGN, 0);
    sigset_t set = only(SIGUSR1), other = only(SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &other, NULL);
    if (is_atomic()) pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, is_atomic() || is("sleep") || is("nothing") ? wait_for_first : signal_and_close, NULL);
    if (is("sleep") || is("nothing")) {
        if (fails()) assert(errno == EINTR && count == 1);
    } else if (is_atomic()) {
        assert(fails() && errno == EINTR && count == 1);
        sigset_t now;
        pthread_sigmask(SIG_BLOCK, NULL, &now);
        assert(sigismember(&now, SIGUSR1));
    } else if (fails()) {
        // It came in time.
        assert(errno == EINTR);
    }
    pthread_join(thread, NULL);
}

// MARK: - Jumps and nested handlers

static void jump(int number) {
    (void)number;
    siglongjmp(place, 1);
}

static void run_jumps(void) {
    set_handler(SIGUSR1, jump, 0);
    sigset_t now;
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(place, 1) == 0) {
            raise(SIGUSR1);
            assert(0);
        }
        pthread_sigmask(SIG_BLOCK, NULL, &now);
        assert(!sigismember(&now, SIGUSR1));
    }
    if (sigsetjmp(place, 0) == 0) raise(SIGUSR1);
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(sigismember(&now, SIGUSR1));
}

static void note_first(int number) {
    (void)number;
    order = order * 10 + 1;
    raise(SIGUSR2);
    order = order * 10 + 3;
}

static void note_second(int number) {
    (void)number;
    order = order * 10 + 2;
}

static void note_again(int number) {
    order = order * 10 + 1;
    if (order < 100) raise(number);
}

static char stack[1 << 16];

static void note_stack(int number) {
    (void)number;
    char here;
    order = &here >= stack && &here < stack + sizeof stack;
}

static void run_nested(void) {
    set_handler(SIGUSR1, note_first, 0);
    set_handler(SIGUSR2, note_second, 0);
    raise(SIGUSR1);
    assert(order == 123);
    order = 0;
    set_handler(SIGUSR1, note_again, SA_NODEFER);
    raise(SIGUSR1);
    assert(order == 111);
    order = 0;
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&own, NULL);
    set_handler(SIGUSR1, note_stack, SA_ONSTACK | SA_RESETHAND);
    raise(SIGUSR1);
    assert(order == 1);
    struct sigaction now;
    sigaction(SIGUSR1, NULL, &now);
    assert(now.sa_handler == SIG_DFL);
}

// MARK: - Pipes that nothing reads

static void run_broken(void) {
    sigset_t set = only(SIGPIPE), pending;
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    close(ends[0]);
    assert(write(ends[1], "a", 1) == -1 && errno == EPIPE);
    assert(dprintf(ends[1], "a") == -1);
    int sockets[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    close(sockets[1]);
    assert(send(sockets[0], "a", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    sigpending(&pending);
    assert(sigismember(&pending, SIGPIPE));
    set_handler(SIGPIPE, handle, 0);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(count == 1);
    assert(write(ends[1], "a", 1) == -1 && errno == EPIPE && count == 2);
    set_handler(SIGPIPE, SIG_IGN, 0);
    assert(write(ends[1], "a", 1) == -1 && errno == EPIPE && count == 2);
    if (is("broken")) return;
    set_handler(SIGPIPE, SIG_DFL, 0);
    write(ends[1], "a", 1);
}

static void take(int number) {
    (void)number;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *keep(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

static void run_locked(void) {
    set_handler(SIGUSR1, take, 0);
    if (is("takes")) pthread_mutex_lock(&mutex);
    pthread_t thread;
    pthread_create(&thread, NULL, is("takes") ? signal_first : keep, NULL);
    if (is("takes")) pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    if (is("held")) pthread_mutex_lock(&mutex);
}

int main(int argument_count, char **words) {
    way = argument_count > 1 ? words[1] : "";
    first = pthread_self();
    assert(pipe(ends) == 0);
    sem_init(&handled, 0, 0);
    sem_init(&permits, 0, 0);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t thread;
    if (is("self-pipe") || is("polled")) {
        set_handler(SIGUSR1, write_byte, SA_RESTART);
        pthread_create(&thread, NULL, signal_first, NULL);
        char byte = 0;
        struct pollfd file = {.fd = ends[0], .events = POLLIN};
        while (is("polled") && poll(&file, 1, -1) < 0) assert(errno == EINTR);
        assert(read(ends[0], &byte, 1) == 1 && byte == 's');
        pthread_join(thread, NULL);
    } else if (is("join")) {
        set_handler(SIGUSR1, handle, SA_RESTART);
        pthread_create(&thread, NULL, wait_for_first, NULL);
        assert(pthread_join(thread, NULL) == 0 && count == 1);
    } else if (is("once")) {
        set_handler(SIGUSR1, handle, SA_RESTART);
        pthread_create(&thread, NULL, call_once_late, NULL);
        pthread_once(&once, initialize);
        if (is_set) sem_post(&handled);
        pthread_join(thread, NULL);
    } else if (is("takes") || is("held")) {
        run_locked();
    } else if (is("jumps")) {
        run_jumps();
    } else if (is("nested")) {
        run_nested();
    } else if (is("broken") || is("dies")) {
        run_broken();
    } else {
        static const char *const blocked[] = {"mutex", "reader", "writer", "spin", "barrier", "permit", "condition", "futex"};
        int is_blocked = 0;
        for (unsigned i = 0; i < sizeof blocked / sizeof *blocked; i++) is_blocked |= is(blocked[i]);
        if (is_blocked) run_blocked();
        else run_failing();
    }
    puts("done");
    return 0;
}
