// A constructor blocks all signals, and a thread that the program makes finds them blocked.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int changed[4096];

__attribute__((constructor)) static void block_all(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static void *look(void *unused) {
    sigset_t blocked;
    assert(pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0);
    assert(sigismember(&blocked, SIGSEGV) && sigismember(&blocked, SIGTERM) && !sigismember(&blocked, SIGKILL));
    return unused;
}

int main(void) {
    pthread_t thread;
    // The first write to a page is a fault under threadlab, which it handles.
    for (int i = 0; i < 4096; i++) changed[i]++;
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    return 0;
}
