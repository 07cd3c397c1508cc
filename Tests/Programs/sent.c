// Threads that send signals to each other, and wait for them: the argument says how.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *way;
static volatile sig_atomic_t handled;
static __thread int is_here;
static int handled_by_main;
static pid_t main_number;

static int is(const char *name) { return strcmp(way, name) == 0; }

static void handle(int number) {
    assert(number == SIGUSR1);
    handled++;
    handled_by_main = is_here;
}

static sigset_t only(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

static void *wait_for_two(void *unused) {
    sigset_t set = only(SIGUSR1);
    sigaddset(&set, SIGTERM);
    int number = 0, count = 0;
    do {
        assert(sigwait(&set, &number) == 0);
        count++;
    } while (number != SIGTERM);
    assert(count <= 2);
    return unused;
}

static void *send_to_process(void *unused) {
    kill(getpid(), SIGUSR1);
    return unused;
}

static void *send_to_itself(void *unused) {
    assert(tgkill(getpid(), gettid(), SIGUSR1) == 0);
    assert(handled == 1 && !handled_by_main);
    return unused;
}

static void *send_to_main(void *unused) {
    assert(is("called") ? syscall(SYS_tgkill, getpid(), main_number, SIGUSR1) == 0 : tgkill(getpid(), main_number, SIGUSR1) == 0);
    assert(tgkill(getpid(), main_number + 1000000, SIGUSR1) == -1 && errno == ESRCH);
    return unused;
}

// A signal that comes between the look and the wait is handled before it, and the wait does not end.
static void lose(void) {
    if (!handled) pause();
}

static void keep(void) {
    sigset_t none;
    sigemptyset(&none);
    while (!handled) sigsuspend(&none);
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    is_here = 1;
    pthread_t thread;
    if (is("waits")) {
        sigset_t set = only(SIGUSR1);
        sigaddset(&set, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        pthread_create(&thread, NULL, wait_for_two, NULL);
        pthread_kill(thread, SIGUSR1);
        kill(getpid(), SIGTERM);
        pthread_join(thread, NULL);
    }
    if (is("loses") || is("keeps") || is("ignores")) {
        signal(SIGUSR1, is("ignores") ? SIG_IGN : handle);
        sigset_t set = only(SIGUSR1);
        if (is("keeps")) pthread_sigmask(SIG_BLOCK, &set, NULL);
        pthread_create(&thread, NULL, send_to_process, NULL);
        if (is("loses")) lose();
        if (is("keeps")) keep();
        pthread_join(thread, NULL);
        assert(is("ignores") ? handled == 0 : handled == 1);
    }
    if (is("blocks")) {
        signal(SIGUSR1, handle);
        sigset_t set = only(SIGUSR1), pending;
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        raise(SIGUSR1);
        assert(!handled && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
        assert(handled == 1 && handled_by_main);
        struct timespec soon = {.tv_nsec = 1000};
        assert(sigtimedwait(&set, NULL, &soon) == -1 && errno == EAGAIN);
    }
    if (is("itself") || is("numbered") || is("called")) {
        signal(SIGUSR1, handle);
        main_number = gettid();
        if (!is("itself")) {
            sigset_t set = only(SIGUSR1);
            pthread_sigmask(SIG_BLOCK, &set, NULL);
        }
        pthread_create(&thread, NULL, is("itself") ? send_to_itself : send_to_main, NULL);
        if (!is("itself")) keep();
        pthread_join(thread, NULL);
        assert(handled == 1 && handled_by_main == !is("itself"));
    }
    if (is("dies")) raise(SIGTERM);
    if (is("other")) assert(pthread_kill(pthread_self(), 0) == 0 && pthread_kill(pthread_self(), 100) == EINVAL);
    puts("done");
    return 0;
}
