// Pending signals, and handlers that restart calls or do not: the argument says what is tried.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *way;
static volatile sig_atomic_t handled;
static int ends[2];

static int is(const char *name) { return strcmp(way, name) == 0; }

static sigset_t only(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

static void handle(int number) {
    assert(number == SIGUSR1);
    handled++;
}

static int is_pending(int number) {
    sigset_t pending;
    assert(sigpending(&pending) == 0);
    return sigismember(&pending, number);
}

// One that is pending as its action becomes to ignore it is forgotten, be it for the process or for a thread.
static void ignore(int number, int is_default) {
    sigset_t set = only(number);
    signal(number, handle);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(number);
    assert(is_pending(number));
    signal(number, is_default ? SIG_DFL : SIG_IGN);
    assert(!is_pending(number));
    kill(getpid(), number);
    assert(is_pending(number));
    signal(number, is_default ? SIG_DFL : SIG_IGN);
    assert(!is_pending(number));
    signal(number, handle);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(!handled);
}

// Only threads that still exist can block what would be ignored.
static void *block(void *unused) {
    sigset_t set = only(SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return unused;
}

static void drop(void) {
    pthread_t thread;
    signal(SIGUSR2, SIG_IGN);
    pthread_create(&thread, NULL, block, NULL);
    pthread_join(thread, NULL);
    kill(getpid(), SIGUSR2);
    block(NULL);
    assert(!is_pending(SIGUSR2));
}

static void *send(void *receiver) {
    pthread_kill(*(pthread_t *)receiver, SIGUSR1);
    if (!is("polls")) assert(write(ends[1], "x", 1) == 1);
    return NULL;
}

// signal makes calls that are restarted, unless siginterrupt says otherwise: then one order ends the call.
static void interrupt(int ends_calls) {
    pthread_t me = pthread_self(), thread;
    sigset_t set = only(SIGUSR1);
    char byte;
    signal(SIGUSR1, handle);
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    assert(siginterrupt(SIGUSR1, ends_calls) == 0);
    assert(pipe(ends) == 0);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, send, &me);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(read(ends[0], &byte, 1) == 1);
    pthread_join(thread, NULL);
}

static void *stir(void *unused) {
    char byte;
    assert(write(ends[1], "x", 1) == 1);
    assert(read(ends[0], &byte, 1) == 1);
    return unused;
}

// By a thread that could be cancelled. What makes it look again is taken by another: only the signal ends the wait, or the byte.
static void *poll_one(void *unused) {
    sigset_t none;
    sigemptyset(&none);
    struct pollfd one = {.fd = ends[0], .events = POLLIN};
    int found = ppoll(&one, 1, NULL, &none);
    assert(found == 1 || (errno == EINTR && handled == 1));
    return unused;
}

static void poll_and_cancel(void) {
    pthread_t poller, sender, stirrer;
    sigset_t set = only(SIGUSR1);
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    assert(pipe(ends) == 0);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&poller, NULL, poll_one, NULL);
    pthread_create(&stirrer, NULL, stir, NULL);
    pthread_create(&sender, NULL, send, &poller);
    pthread_join(sender, NULL);
    pthread_join(stirrer, NULL);
    pthread_join(poller, NULL);
    if (way[0] == 0) pthread_cancel(poller);
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    if (is("ignored")) ignore(SIGUSR1, 0);
    if (is("default")) ignore(SIGCHLD, 1);
    if (is("dropped")) drop();
    if (is("interrupts")) interrupt(1);
    if (is("restarts")) interrupt(0);
    if (is("polls")) poll_and_cancel();
    return 0;
}
