// A signal that is sent to a process, of which one thread has ended. Nothing here has a handler.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t only(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

static void *rest(void *unused) { return unused; }

static void *wait_for_it(void *unused) {
    sigset_t set = only(SIGTERM);
    int number;
    assert(sigwait(&set, &number) == 0 && number == SIGTERM);
    return unused;
}

// A thread that has ended gets none, although it did not block it.
int main(void) {
    pthread_t helper, waiter;
    pthread_create(&helper, NULL, rest, NULL);
    pthread_join(helper, NULL);
    sigset_t set = only(SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&waiter, NULL, wait_for_it, NULL);
    kill(getpid(), SIGTERM);
    pthread_join(waiter, NULL);
    return 0;
}
