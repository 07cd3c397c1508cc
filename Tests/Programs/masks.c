// Signals as the headers of C have them without extensions, masks that threads share, and timers: the argument says what.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *way;
static volatile sig_atomic_t handled;
static sigset_t shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int is(const char *name) { return strcmp(way, name) == 0; }

static void handle(int number) {
    assert(number == SIGUSR1);
    handled++;
}

// As System V has it, its action is the default again when it is called.
static void handle_once(int count) {
    signal(SIGUSR1, handle);
    for (int i = 0; i < count; i++) raise(SIGUSR1);
    assert(handled == 1);
}

static void *fill(void *unused) {
    if (is("ordered")) pthread_mutex_lock(&mutex);
    sigaddset(&shared, SIGUSR2);
    if (is("ordered")) pthread_mutex_unlock(&mutex);
    return unused;
}

// The calls read the set that they are given, and write the one that they give.
static void share(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    if (is("ordered")) pthread_mutex_lock(&mutex);
    if (is("written")) sigprocmask(SIG_BLOCK, NULL, &shared);
    else sigprocmask(SIG_BLOCK, &shared, NULL);
    if (is("ordered")) pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

static void make_timer(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
}

// A guard against hangs is never over; a handler of it is not supported.
static void guard(int is_handled) {
    if (is_handled) signal(SIGALRM, handle);
    alarm(1);
    struct timespec time = {5, 0};
    nanosleep(&time, NULL);
    alarm(0);
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    sigemptyset(&shared);
    if (is("once")) handle_once(1);
    if (is("twice")) handle_once(2);
    if (is("read") || is("written") || is("ordered")) share();
    if (is("timer")) make_timer();
    if (is("alarm")) guard(0);
    if (is("handled")) guard(1);
    return 0;
}
