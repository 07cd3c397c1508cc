// Ends a process that was asked to end by a signal but does not notice: it has blocked the signals, to take them one by
// one, and computes. A timer's handler looks for pending signals instead, and calls only async-signal-safe functions.
// The timer is not inherited through fork and exec.
#define _GNU_SOURCE
#include "clab.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MOST_TEXT: the maximum size of the text, in bytes. PERIOD: the period of the timer, in nanoseconds. FIRST_EXIT_CODE:
// a process that signal N ends has the exit code 128 + N, as in shells.
enum { MOST_TEXT = 1024, PERIOD = 100000000, FIRST_EXIT_CODE = 128 };

// Two texts, of which `current` is the one that the handler writes. Only the other text is changed.
static struct {
    int length;
    char text[MOST_TEXT];
} said[2];
// asked: the signal that has arrived, or 0. is_watched: whether the timer is set.
static volatile sig_atomic_t current, asked, is_watched;
// When the signal was noted, and how long the process may continue after that, in nanoseconds.
static volatile uint64_t since, limit;
static timer_t timer;
// The process that has set the timer.
static pid_t owner;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void clab_note_ending(int signal) {
    if (asked) return;
    since = now();
    asked = signal;
}

int clab_ending_signal(void) { return asked; }

// The handler of the timer's signal.
static void look(int number) {
    (void)number;
    int error = errno;
    sigset_t pending;
    if (!asked && sigpending(&pending) == 0) {
        if (sigismember(&pending, SIGINT)) clab_note_ending(SIGINT);
        if (sigismember(&pending, SIGTERM)) clab_note_ending(SIGTERM);
        if (sigismember(&pending, SIGHUP)) clab_note_ending(SIGHUP);
    }
    if (is_watched && asked && now() - since > limit && getpid() == owner) {
        ssize_t count = write(STDERR_FILENO, said[current].text, (size_t)said[current].length);
        (void)count;
        _exit(FIRST_EXIT_CODE + asked);
    }
    errno = error;
}

void clab_say_at_ending(const char *text, int length) {
    int next = !current;
    said[next].length = length < MOST_TEXT ? length : MOST_TEXT;
    memcpy(said[next].text, text, (size_t)said[next].length);
    __atomic_signal_fence(__ATOMIC_RELEASE);
    current = next;
}

int clab_watch_ending(uint64_t nanoseconds) {
    if (is_watched && getpid() == owner) return 0;
    int number = SIGRTMAX - 2; // a real-time signal that threadlab does not use otherwise
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    struct itimerspec times = {.it_interval = {0, PERIOD}, .it_value = {0, PERIOD}};
    // The process that has started this one may have blocked the timer's signal.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, number);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    limit = nanoseconds;
    owner = getpid();
    asked = 0;
    if (sigaction(number, &action, NULL) != 0 || timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return errno;
    if (timer_settime(timer, 0, &times, NULL) != 0) {
        int error = errno;
        timer_delete(timer);
        return error;
    }
    is_watched = 1;
    return 0;
}

void clab_end_watching(void) {
    if (!is_watched || getpid() != owner) return;
    is_watched = 0;
    timer_delete(timer);
}
