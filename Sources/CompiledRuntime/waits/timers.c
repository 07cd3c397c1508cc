// Timers that send a signal: setitimer and alarm. Time is virtual, so a timer could expire at any moment. A timer whose
// signal the program does not handle would end the process: it is a guard against hangs, and never expires here. A
// program that handles the signal is refused.
//
// All variables here are in the program's memory, and are restored with it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

// In nanoseconds.
static const int64_t SECOND = 1000000000, MICROSECOND = 1000;
// Microseconds per second.
enum { MICROSECONDS_PER_SECOND = 1000000 };

// By ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF.
enum { TIMERS = 3 };
static const int sent[TIMERS] = {SIGALRM, SIGVTALRM, SIGPROF};
// When each timer would expire, on the virtual clock. 0: it is not set.
static int64_t ends[TIMERS];
static struct timeval intervals[TIMERS];

void lab_check_timers(uint64_t site) {
    for (int i = 0; i < TIMERS; i++) {
        struct sigaction action;
        if (!ends[i] || lab_signal_action(sent[i], &action) != 0 || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) continue;
        static const char text[] = "has a timer and handles its signal, which threadlab does not support";
        lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = site});
    }
}

int lab_has_timers(void) { return ends[0] || ends[1] || ends[2]; }

// The time that is left until the timer would expire.
static struct timeval left(int kind) {
    int64_t rest = ends[kind] ? ends[kind] - lab_state->program.now : 0;
    // Never 0 for a timer that is set: 0 says that it is not.
    if (ends[kind] && rest < MICROSECOND) rest = MICROSECOND;
    return (struct timeval){rest / SECOND, rest % SECOND / MICROSECOND};
}

EXPORTED int getitimer(__itimer_which_t kind, struct itimerval *value) {
    if (!is_controlled() || (unsigned)kind >= TIMERS) return REAL(getitimer, int, __itimer_which_t, struct itimerval *)(kind, value);
    lab_note_call("getitimer");
    if (!value) {
        errno = EFAULT;
        return -1;
    }
    lab_note_access(value, sizeof *value, 1, SITE);
    *value = (struct itimerval){.it_interval = intervals[kind], .it_value = left((int)kind)};
    return 0;
}

static int set(int kind, const struct itimerval *value, struct itimerval *old, uint64_t site) {
    struct itimerval before = {.it_interval = intervals[kind], .it_value = left(kind)};
    const struct timeval *time = &value->it_value;
    int is_set = time->tv_sec || time->tv_usec;
    ends[kind] = is_set ? lab_deadline_after(&(struct timespec){time->tv_sec, time->tv_usec * MICROSECOND}) : 0;
    intervals[kind] = value->it_interval;
    if (old) *old = before;
    lab_check_timers(site);
    return 0;
}

static int is_wrong(const struct timeval *time) { return time->tv_sec < 0 || time->tv_usec < 0 || time->tv_usec >= MICROSECONDS_PER_SECOND; }

EXPORTED int setitimer(__itimer_which_t kind, const struct itimerval *value, struct itimerval *old) {
    lab_note_call("setitimer");
    // Linux takes a null value for zeros, which stop the timer.
    static const struct itimerval none;
    if (is_controlled() && value) lab_note_access(value, sizeof *value, 0, SITE);
    if (is_controlled() && !value) value = &none;
    if (!is_controlled() || (unsigned)kind >= TIMERS || is_wrong(&value->it_value) || is_wrong(&value->it_interval)) {
        return REAL(setitimer, int, __itimer_which_t, const struct itimerval *, struct itimerval *)(kind, value, old);
    }
    if (old) lab_note_access(old, sizeof *old, 1, SITE);
    return set((int)kind, value, old, SITE);
}

// Sets the timer of `alarm`. Returns the seconds that were left, rounded as in Linux: to the nearest second, but not to
// 0 if the timer was set.
static unsigned set_alarm(struct itimerval value, uint64_t site) {
    struct itimerval old;
    set(ITIMER_REAL, &value, &old, site);
    return (unsigned)old.it_value.tv_sec + (old.it_value.tv_usec >= MICROSECONDS_PER_SECOND / 2 || (!old.it_value.tv_sec && old.it_value.tv_usec));
}

EXPORTED unsigned alarm(unsigned seconds) {
    lab_note_call("alarm");
    if (!is_controlled()) return REAL(alarm, unsigned, unsigned)(seconds);
    return set_alarm((struct itimerval){.it_value.tv_sec = seconds}, SITE);
}

EXPORTED useconds_t ualarm(useconds_t time, useconds_t interval) {
    lab_note_call("ualarm");
    if (!is_controlled()) return REAL(ualarm, useconds_t, useconds_t, useconds_t)(time, interval);
    struct timeval before = left(ITIMER_REAL);
    struct itimerval value = {.it_value = {time / MICROSECONDS_PER_SECOND, time % MICROSECONDS_PER_SECOND}, .it_interval = {interval / MICROSECONDS_PER_SECOND, interval % MICROSECONDS_PER_SECOND}};
    set_alarm(value, SITE);
    return (useconds_t)(before.tv_sec * MICROSECONDS_PER_SECOND + before.tv_usec);
}

#endif
