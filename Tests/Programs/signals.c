// Handlers of its own faults, and what a process sets for all of itself: each execution begins with what was set at first.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int flag;
static sigjmp_buf place;
static int caught, written[100000];
static void *volatile nowhere;

static void handle(int number) {
    assert(number == SIGSEGV);
    caught++;
    siglongjmp(place, 1);
}

static void *use(void *unused) {
    flag = 1;
    // The first write to a page is no fault of the program, even while it blocks them.
    memset(written, 1, sizeof written);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    if (sigsetjmp(place, 1) == 0) *(int *)nowhere = 1;
    assert(caught == 1);
    return unused;
}

int main(int count, char **words) {
    struct sigaction before;
    sigset_t set, masked;
    char folder[4096];
    pthread_t thread;
    (void)words;
    assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    assert(sigaction(SIGSEGV, NULL, &before) == 0 && before.sa_handler == SIG_DFL);
    assert(signal(SIGSEGV, handle) == SIG_DFL);
    sigfillset(&set);
    assert(sigprocmask(SIG_BLOCK, &set, &masked) == 0 && !sigismember(&masked, SIGUSR2));
    assert(umask(0) != 0);
    assert(getcwd(folder, sizeof folder) && strcmp(folder, "/") != 0 && chdir("/") == 0);
    pthread_create(&thread, NULL, use, NULL);
    if (flag && count > 1) {
        signal(SIGSEGV, SIG_DFL);
        *(int *)nowhere = 1;
    }
    pthread_join(thread, NULL);
    return 0;
}
