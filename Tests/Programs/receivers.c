// Which thread gets a signal that is sent to the process: the argument says what happens at the same time.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *way;
static pthread_t main_thread;
static sem_t begun, ended, never;
static __thread int is_late;

static int is(const char *name) { return strcmp(way, name) == 0; }

static sigset_t only(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

static void handle_in_main(int number) {
    assert(number == SIGUSR1);
    assert(pthread_equal(pthread_self(), main_thread));
}

static void *send(void *unused) {
    sem_post(&begun);
    kill(getpid(), SIGUSR1);
    return unused;
}

static void *step(void *unused) {
    sem_post(&ended);
    return unused;
}

static void *rest(void *unused) { return unused; }

// The sender blocks the signal. A thread that is made after it may get the signal, unless that was sent before.
static void make_late(void *(*body)(void *)) {
    sigset_t set = only(SIGUSR1);
    signal(SIGUSR1, handle_in_main);
    pthread_t sender, late;
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&sender, NULL, send, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    sem_wait(&begun);
    pthread_create(&late, NULL, body, NULL);
    pthread_join(late, NULL);
    pthread_join(sender, NULL);
}

static void handle_elsewhere(int number) {
    assert(number == SIGUSR1);
    assert(!is_late);
}

static void *stay(void *unused) {
    is_late = 1;
    sem_wait(&never);
    return unused;
}

// Only one order of the two lets the second thread get the signal: that it is sent when there is that thread.
static void *make_one_that_stays(void *unused) {
    sigset_t set = only(SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    pthread_t made;
    pthread_create(&made, NULL, stay, NULL);
    pthread_join(made, NULL);
    return unused;
}

static void make_beside(void) {
    sigset_t set = only(SIGUSR1);
    signal(SIGUSR1, handle_elsewhere);
    sem_init(&never, 0, 0);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t sender, maker;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&maker, NULL, make_one_that_stays, NULL);
    pthread_join(sender, NULL);
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    main_thread = pthread_self();
    sem_init(&begun, 0, 0);
    sem_init(&ended, 0, 0);
    if (is("late")) make_late(step);
    if (is("beside")) make_beside();
    if (is("idle")) make_late(rest);
    return 0;
}
