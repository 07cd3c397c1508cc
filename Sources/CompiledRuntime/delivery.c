// Signals that the program's threads send to each other, by kill of its own process, raise and pthread_kill, and what waits for them. The
// system does not see them. A thread handles those that it does not block when it sends one, waits for one, changes its mask, or asks for
// anything else: one that waits for something else handles them later than on a real system, and nothing ends with EINTR but a wait for a signal.
// So no program that sends signals is proved.
//
// All variables here are the program's memory, and so put back.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

// Bit n - 1 is signal n, as in the kernel.
typedef uint64_t signals_t;
enum { MOST_SIGNALS = 64 };

// Those sent to the process. What waits for signals waits at this address.
static signals_t signals;

static struct {
    signals_t sent, blocked;
    // What ends its wait for signals.
    signals_t awaited;
    // It sends, waits or handles: it is not interrupted.
    int is_busy;
} threads[MOST_THREADS];

int lab_has_signals;

static signals_t bit(int number) { return (signals_t)1 << (number - 1); }

static signals_t read_set(const sigset_t *set) {
    signals_t read;
    memcpy(&read, set, sizeof read);
    return read;
}

static void write_set(sigset_t *set, signals_t value) {
    sigemptyset(set);
    memcpy(set, &value, sizeof value);
}

static lab_place_t place_at(uint64_t site) { return (lab_place_t){.address = &signals, .site = site}; }

static int me(void) { return lab_state->current; }

// MARK: - Sending

static int is_ignored(int number) {
    struct sigaction action;
    if (lab_signal_action(number, &action) != 0) return 0;
    if (action.sa_handler == SIG_IGN) return 1;
    int is_harmless = number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
    return action.sa_handler == SIG_DFL && is_harmless;
}

static void note_pending(void) {
    signals_t all = signals;
    for (int thread = 0; thread < lab_state->thread_count; thread++) all |= threads[thread].sent;
    lab_has_signals = all != 0;
}

// One that is blocked can be waited for, also if it would be ignored.
static void send(signals_t *to, signals_t blocked, int number, uint64_t site) {
    if (is_ignored(number) && !(blocked & bit(number))) return;
    threads[me()].is_busy++;
    lab_place_t place = place_at(site);
    lab_inside(compiled_lock, place, COMPILED_NEVER);
    *to |= bit(number);
    note_pending();
    lab_wake_all(place);
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
    threads[me()].is_busy--;
    lab_deliver_signals(site);
}

EXPORTED int kill(pid_t process, int number) {
    lab_note_call("kill");
    int is_own = is_controlled() && (process == getpid() || process == 0) && number > 0 && number <= MOST_SIGNALS;
    if (!is_own) return REAL(kill, int, pid_t, int)(process, number);
    signals_t blocked = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) blocked |= threads[thread].blocked;
    send(&signals, blocked, number, SITE);
    return 0;
}

static int send_to_thread(int thread, int number, uint64_t site) {
    if (number < 0 || number > MOST_SIGNALS) return EINVAL;
    if (number) send(&threads[thread].sent, threads[thread].blocked, number, site);
    return 0;
}

EXPORTED int pthread_kill(pthread_t handle, int number) {
    if (!is_controlled()) return REAL(pthread_kill, int, pthread_t, int)(handle, number);
    lab_note_call("pthread_kill");
    int thread = lab_thread_of(handle);
    return thread < 0 ? ESRCH : send_to_thread(thread, number, SITE);
}

EXPORTED int raise(int number) {
    if (!is_controlled()) return REAL(raise, int, int)(number);
    lab_note_call("raise");
    int failure = send_to_thread(me(), number, SITE);
    if (failure) errno = failure;
    return failure ? -1 : 0;
}

// MARK: - Handling

// Of the process: one that another thread waits for is left to it, as on Linux.
static signals_t awaited_by_others(void) {
    signals_t awaited = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (thread != me()) awaited |= threads[thread].awaited;
    }
    return awaited & ~threads[me()].awaited;
}

// Takes the first of these that is pending. 0: none is.
static int take(signals_t wanted) {
    signals_t *from = &threads[me()].sent;
    if (!(*from & wanted)) {
        from = &signals;
        wanted &= ~awaited_by_others();
    }
    if (!(*from & wanted)) return 0;
    int number = __builtin_ctzll(*from & wanted) + 1;
    *from &= ~bit(number);
    note_pending();
    return number;
}

static void call_handler(struct sigaction action, int number) {
    signals_t before = threads[me()].blocked;
    threads[me()].blocked |= read_set(&action.sa_mask) | (action.sa_flags & SA_NODEFER ? 0 : bit(number));
    struct sigaction initial = {.sa_handler = SIG_DFL};
    if (action.sa_flags & SA_RESETHAND) sigaction(number, &initial, NULL);
    siginfo_t info = {.si_signo = number, .si_code = SI_USER};
    info.si_pid = getpid();
    // What the thread was doing is not in it.
    ucontext_t context;
    memset(&context, 0, sizeof context);
    int error = errno;
    if (action.sa_flags & SA_SIGINFO) action.sa_sigaction(number, &info, &context);
    else action.sa_handler(number);
    errno = error;
    threads[me()].blocked = before;
}

static void handle(int number, uint64_t site) {
    struct sigaction action;
    if (is_ignored(number) || lab_signal_action(number, &action) != 0) return;
    if (action.sa_handler != SIG_DFL) {
        call_handler(action, number);
        return;
    }
    int stops = number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
    static const char text[] = "stops itself by a signal, which threadlab does not support";
    lab_ask((compiled_request_t){.kind = stops ? compiled_failure : compiled_crash, .a = number, .text = stops ? text : NULL, .site = site});
}

void lab_deliver_signals(uint64_t site) {
    if (threads[me()].is_busy) return;
    for (int number; (number = take(~threads[me()].blocked));) handle(number, site);
}

// MARK: - Masks

void lab_inherit_mask(int thread) {
    threads[thread].blocked = threads[me()].blocked;
    threads[thread].sent = threads[thread].awaited = 0;
}

void lab_change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site) {
    signals_t *blocked = &threads[me()].blocked, before = *blocked;
    if (set) {
        signals_t change = read_set(set);
        *blocked = how == SIG_BLOCK ? before | change : how == SIG_UNBLOCK ? before & ~change : change;
        *blocked &= ~(bit(SIGKILL) | bit(SIGSTOP));
    }
    if (old) write_set(old, before);
    if (lab_has_signals) lab_deliver_signals(site);
}

EXPORTED int sigpending(sigset_t *set) {
    if (!is_controlled()) return REAL(sigpending, int, sigset_t *)(set);
    lab_note_call("sigpending");
    write_set(set, (signals | threads[me()].sent) & threads[me()].blocked);
    return 0;
}

// MARK: - Waiting

static int uses_timers;

void lab_note_timers(void) { uses_timers = 1; }

static int is_pending(signals_t wanted) { return (((signals & ~awaited_by_others()) | threads[me()].sent) & wanted) != 0; }

// Until one of these is pending. False: the time is over.
static int await(signals_t wanted, int64_t deadline, uint64_t site) {
    if (uses_timers) {
        static const char text[] = "waits for a signal, and has timers that send some, which threadlab does not support";
        lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
    }
    lab_place_t place = place_at(site);
    lab_enter(place);
    threads[me()].is_busy++;
    threads[me()].awaited = wanted;
    int is_late = 0;
    while (!is_pending(wanted) && !is_late && !lab_is_interrupted()) is_late = !lab_wait(place, deadline);
    int found = is_pending(wanted);
    threads[me()].awaited = 0;
    threads[me()].is_busy--;
    int is_cancelled = lab_leave(place) && !found;
    if (is_cancelled) lab_cancel_self();
    return found;
}

// Another thread may take the signal first.
static int wait_for(const sigset_t *set, siginfo_t *info, int64_t deadline, uint64_t site) {
    lab_note_call("sigwait");
    signals_t wanted = read_set(set);
    int number = 0;
    while (!number && await(wanted, deadline, site)) number = take(wanted);
    if (number && info) {
        memset(info, 0, sizeof *info);
        info->si_signo = number;
        info->si_code = SI_USER;
        info->si_pid = getpid();
    }
    return number;
}

EXPORTED int sigwait(const sigset_t *set, int *number) {
    if (!is_controlled()) return REAL(sigwait, int, const sigset_t *, int *)(set, number);
    *number = wait_for(set, NULL, COMPILED_NEVER, SITE);
    return 0;
}

EXPORTED int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    if (!is_controlled()) return REAL(sigwaitinfo, int, const sigset_t *, siginfo_t *)(set, info);
    return wait_for(set, info, COMPILED_NEVER, SITE);
}

EXPORTED int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit) {
    if (!is_controlled()) return REAL(sigtimedwait, int, const sigset_t *, siginfo_t *, const struct timespec *)(set, info, limit);
    int number = wait_for(set, info, limit ? lab_deadline_after(limit) : COMPILED_NEVER, SITE);
    if (!number) errno = EAGAIN;
    return number ? number : -1;
}

static int suspend(signals_t blocked, uint64_t site) {
    signals_t before = threads[me()].blocked;
    threads[me()].blocked = blocked;
    int number = 0;
    // One that is ignored ends no wait.
    while ((!number || is_ignored(number)) && await(~blocked, COMPILED_NEVER, site)) number = take(~blocked);
    if (number) handle(number, site);
    threads[me()].blocked = before;
    lab_deliver_signals(site);
    errno = EINTR;
    return -1;
}

EXPORTED int sigsuspend(const sigset_t *set) {
    if (!is_controlled()) return REAL(sigsuspend, int, const sigset_t *)(set);
    lab_note_call("sigsuspend");
    return suspend(read_set(set), SITE);
}

EXPORTED int pause(void) {
    if (!is_controlled()) return REAL(pause, int, void)();
    lab_note_call("pause");
    return suspend(threads[me()].blocked, SITE);
}

#endif
