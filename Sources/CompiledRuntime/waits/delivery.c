// Signals that the program's threads send to each other, by kill of its own process, raise and pthread_kill, and what waits for them. The
// system does not see them. What is known of them is read and written with a lock. A thread that does not block a signal learns of it by a step on what
// it is asked for, at which it looks before each of its steps; if it waits, its wait is interrupted (interruptions.c), as on a real system.
//
// The lock orders memory, which POSIX does not promise of a signal, so no program that sends signals is proved.
//
// All variables here are the program's memory, and so put back.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// Bit n - 1 is signal n, as in the kernel.
typedef uint64_t signals_t;

// Those sent to the process. What waits for signals waits at this address.
static signals_t signals;

static struct {
    signals_t sent, blocked;
    // What ends its wait for signals.
    signals_t awaited;
    // It handles none any more.
    int is_gone;
} threads[MOST_THREADS];

static signals_t bit(int number) { return (signals_t)1 << (number - 1); }

static signals_t read_set(const sigset_t *set) {
    signals_t read;
    memcpy(&read, set, sizeof read);
    return read & ~(bit(SIGKILL) | bit(SIGSTOP));
}

static void write_set(sigset_t *set, signals_t value) {
    sigemptyset(set);
    memcpy(set, &value, sizeof value);
}

static lab_place_t place_at(uint64_t site) { return (lab_place_t){.address = &signals, .site = site}; }

static int me(void) { return lab_state->current; }

void lab_lock_signals(uint64_t site) {
    if (lab_state->unjoined < 2) return;
    lab_note_call("pthread_sigmask");
    lab_inside(compiled_lock, place_at(site), COMPILED_NEVER);
}

void lab_unlock_signals(uint64_t site) {
    if (lab_state->unjoined > 1) lab_inside(compiled_unlock, place_at(site), COMPILED_NEVER);
}

// MARK: - What a signal does

typedef enum { does_nothing, is_handled, ends_process, stops_process } effect_t;

static effect_t effect_of(int number) {
    struct sigaction action;
    if (lab_signal_action(number, &action) != 0 || action.sa_handler == SIG_IGN) return does_nothing;
    if (action.sa_handler != SIG_DFL) return is_handled;
    switch (number) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT: return does_nothing;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: return stops_process;
    default: return ends_process;
    }
}

void lab_discard_signals(int number) {
    if (effect_of(number) != does_nothing) return;
    signals &= ~bit(number);
    for (int thread = 0; thread < lab_state->thread_count; thread++) threads[thread].sent &= ~bit(number);
}

static void end_process(int number, effect_t effect, uint64_t site) {
    static const char text[] = "stops itself by a signal, which threadlab does not support";
    int stops = effect == stops_process;
    lab_ask((compiled_request_t){.kind = stops ? compiled_failure : compiled_crash, .a = number, .text = stops ? text : NULL, .site = site});
}

// MARK: - Sending

static int takes(int thread, int number) {
    return !threads[thread].is_gone && ((~threads[thread].blocked | threads[thread].awaited) & bit(number)) != 0;
}

// Any thread that does not block the signal, or waits for it, may get it. -1: all block it.
static int choose_thread(int number, uint64_t site) {
    int count = 0, only = -1;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (takes(thread, number)) count++, only = thread;
    }
    if (count < 2) return only;
    int64_t chosen = lab_ask((compiled_request_t){.kind = compiled_choose, .a = count, .site = site});
    for (int thread = 0;; thread++) {
        if (takes(thread, number) && chosen-- == 0) return thread;
    }
}

// Another thread learns that there is a signal for it. Returns whether its wait is to be interrupted.
static int tell(int thread, int number, uint64_t site) {
    if (thread < 0 || thread == me()) return 0;
    if (lab_state->sends) return lab_call(thread, LAB_SIGNAL, site);
    if (!(threads[thread].awaited & bit(number))) lab_learn_signals(site);
    return 0;
}

// One that is blocked can be waited for, also if it would be ignored.
static int is_dropped(int receiver, int number) {
    signals_t blocked = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if ((receiver < 0 || receiver == thread) && !threads[thread].is_gone) blocked |= threads[thread].blocked;
    }
    return effect_of(number) == does_nothing && !(blocked & bit(number));
}

// receiver: a thread; -1: the process.
static void send(int receiver, int number, uint64_t site) {
    lab_look_first(site);
    lab_lock_signals(site);
    int is_gone = receiver >= 0 && threads[receiver].is_gone;
    if (is_gone || is_dropped(receiver, number)) return lab_unlock_signals(site);
    int thread = receiver < 0 ? choose_thread(number, site) : takes(receiver, number) ? receiver : -1;
    effect_t effect = effect_of(number);
    int is_awaited = thread >= 0 && (threads[thread].awaited & bit(number));
    if (thread >= 0 && !is_awaited && effect >= ends_process) end_process(number, effect, site);
    if (receiver < 0) signals |= bit(number);
    else threads[receiver].sent |= bit(number);
    int waits = tell(thread, number, site);
    if (lab_state->unjoined > 1) lab_wake_all(place_at(site));
    lab_unlock_signals(site);
    if (waits) lab_interrupt(thread, LAB_SIGNAL, site);
    if (thread == me()) lab_deliver_signals(site);
}

// The running thread no longer takes these: others may.
static void pass_on(signals_t left, uint64_t site) {
    while (left) {
        int number = __builtin_ctzll(left) + 1;
        left &= ~bit(number);
        lab_lock_signals(site);
        int thread = signals & bit(number) ? choose_thread(number, site) : -1;
        int waits = tell(thread, number, site);
        lab_unlock_signals(site);
        if (waits) lab_interrupt(thread, LAB_SIGNAL, site);
    }
}

void lab_signal_self(int number, uint64_t site) { send(me(), number, site); }

static int send_to_process(int number, uint64_t site) {
    if (number < 0 || number > MOST_SIGNALS) {
        errno = EINVAL;
        return -1;
    }
    if (number) send(-1, number, site);
    return 0;
}

EXPORTED int kill(pid_t process, int number) {
    lab_note_call("kill");
    if (is_controlled() && (process == getpid() || process == 0 || process == -lab_system(SYS_getpgid, 0, 0, 0, 0, 0, 0))) return send_to_process(number, SITE);
    return REAL(kill, int, pid_t, int)(process, number);
}

// The process's own group is taken for the process, as with kill.
EXPORTED int killpg(pid_t group, int number) {
    lab_note_call("killpg");
    if (is_controlled() && (group == 0 || group == lab_system(SYS_getpgid, 0, 0, 0, 0, 0, 0))) return send_to_process(number, SITE);
    return REAL(killpg, int, pid_t, int)(group, number);
}

static int send_to_thread(int thread, int number, uint64_t site) {
    if (number < 0 || number > MOST_SIGNALS) return EINVAL;
    if (number) send(thread, number, site);
    return 0;
}

// The threads of the program have one number in the system.
EXPORTED int tgkill(pid_t process, pid_t thread, int number) {
    lab_note_call("tgkill");
    if (!is_controlled() || process != getpid() || thread != (pid_t)lab_system(SYS_gettid, 0, 0, 0, 0, 0, 0)) {
        return REAL(tgkill, int, pid_t, pid_t, int)(process, thread, number);
    }
    return raise(number);
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

int lab_can_be_signalled(void) {
    if (!lab_state->sends || threads[me()].is_gone) return 0;
    signals_t never = bit(SIGKILL) | bit(SIGSTOP) | bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) | bit(SIGTRAP);
    return (~threads[me()].blocked & ~never) != 0;
}

// Takes the first of these that is pending. 0: none is. info: says how it was sent.
static int take(signals_t wanted, siginfo_t *info) {
    signals_t *from = threads[me()].sent & wanted ? &threads[me()].sent : &signals;
    if (!(*from & wanted)) return 0;
    int number = __builtin_ctzll(*from & wanted) + 1;
    *from &= ~bit(number);
    memset(info, 0, sizeof *info);
    info->si_signo = number;
    info->si_code = from == &signals ? SI_USER : SI_TKILL;
    info->si_pid = getpid();
    info->si_uid = (uid_t)lab_system(SYS_getuid, 0, 0, 0, 0, 0, 0);
    return number;
}

// Calls the handler, on another stack if there is one.
void lab_call_handler(int number, siginfo_t *info, void *context, void *handler, void *stack);
__asm__(".pushsection lab_text, \"ax\", @progbits\n.hidden lab_call_handler\n.globl lab_call_handler\n"
        ".type lab_call_handler, @function\nlab_call_handler:\n"
        ".cfi_startproc\npushq %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbp, -16\n"
        "movq %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"
        "testq %r8, %r8\nje 1f\nmovq %r8, %rsp\n1: call *%rcx\n"
        "movq %rbp, %rsp\npopq %rbp\n.cfi_def_cfa %rsp, 8\nret\n"
        ".cfi_endproc\n.size lab_call_handler, . - lab_call_handler\n.popsection\n");

// Null: the handler runs where the thread is.
static void *stack_for(const struct sigaction *action) {
    const stack_t *own = &lab_state->fibers[me()].signal_stack;
    if (!(action->sa_flags & SA_ONSTACK) || !own->ss_sp || (own->ss_flags & SS_DISABLE)) return NULL;
    uint64_t here = (uint64_t)__builtin_frame_address(0) - (uint64_t)own->ss_sp;
    // A first write to a page is a fault, whose handler needs a stack to which it can write.
    lab_make_writable(own->ss_sp, own->ss_size);
    return here < own->ss_size ? NULL : (void *)(((uint64_t)own->ss_sp + own->ss_size) & ~(uint64_t)15);
}

// Signals that it does not block while it runs are handled first, as if they interrupted it at once. Returns what it leaves blocked.
static signals_t call_handler(const struct sigaction *action, siginfo_t *info, signals_t before, uint64_t site) {
    // What the thread was doing is not in it.
    ucontext_t context;
    memset(&context, 0, sizeof context);
    write_set(&context.uc_sigmask, before);
    int error = errno;
    lab_deliver_signals(site);
    lab_call_handler(info->si_signo, info, &context, (void *)action->sa_sigaction, stack_for(action));
    errno = error;
    return read_set(&context.uc_sigmask);
}

// A handler may not return: nothing is done after it that must be.
lab_handled_t lab_deliver_signals(uint64_t site) {
    lab_handled_t strongest = lab_not_handled;
    lab_lock_signals(site);
    lab_state->fibers[me()].cancellation.seen = lab_state->fibers[me()].cancellation.known;
    siginfo_t info;
    for (int number; (number = take(~threads[me()].blocked, &info));) {
        struct sigaction action;
        effect_t effect = effect_of(number);
        if (effect >= ends_process) end_process(number, effect, site);
        if (effect != is_handled || lab_signal_action(number, &action) != 0) continue;
        if (action.sa_flags & SA_RESETHAND) lab_reset_action(number);
        signals_t before = threads[me()].blocked;
        threads[me()].blocked |= read_set(&action.sa_mask) | (action.sa_flags & SA_NODEFER ? 0 : bit(number));
        signals_t left = signals & threads[me()].blocked & ~before;
        lab_unlock_signals(site);
        pass_on(left, site);
        before = call_handler(&action, &info, before, site);
        if (strongest != lab_ends) strongest = action.sa_flags & SA_RESTART ? lab_continues : lab_ends;
        lab_lock_signals(site);
        threads[me()].blocked = before;
    }
    lab_unlock_signals(site);
    return strongest;
}

// MARK: - Masks

void lab_inherit_mask(int thread) {
    threads[thread].blocked = threads[me()].blocked;
    threads[thread].sent = threads[thread].awaited = 0;
    threads[thread].is_gone = 0;
}

int lab_begin_making(uint64_t site) {
    if (!lab_state->kills || lab_state->unjoined < 2) return 0;
    lab_lock_signals(site);
    return 1;
}

void lab_end_making(int is_locked, uint64_t site) {
    if (is_locked) lab_unlock_signals(site);
}

uint64_t lab_own_mask(void) { return threads[me()].blocked; }

// Returns whether one is pending that is no longer blocked.
static int set_mask(signals_t blocked, uint64_t site) {
    lab_lock_signals(site);
    signals_t left = signals & blocked & ~threads[me()].blocked;
    threads[me()].blocked = blocked;
    int is_pending = ((signals | threads[me()].sent) & ~blocked) != 0;
    lab_unlock_signals(site);
    pass_on(left, site);
    return is_pending;
}

void lab_put_mask_back(uint64_t before, uint64_t site) {
    if (set_mask(before, site)) lab_deliver_signals(site);
}

uint64_t lab_swap_mask(const sigset_t *set, uint64_t site) {
    signals_t before = threads[me()].blocked;
    lab_note_access(set, sizeof *set, 0, site);
    set_mask(read_set(set), site);
    return before;
}

void lab_change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site) {
    int thread = is_controlled() ? me() : 0;
    signals_t before = threads[thread].blocked, change = set ? read_set(set) : 0;
    signals_t after = how == SIG_BLOCK ? before | change : how == SIG_UNBLOCK ? before & ~change : change;
    if (old) write_set(old, before);
    if (!set) return;
    // Before main, the thread is the only one.
    if (is_controlled()) lab_put_mask_back(after, site);
    else threads[thread].blocked = after;
}

static void leave_signals(void) {
    if (!lab_state->kills) return;
    uint64_t site = 0;
    lab_lock_signals(site);
    signals_t left = signals & ~threads[me()].blocked;
    threads[me()].is_gone = 1;
    lab_unlock_signals(site);
    if (lab_state->sends) pass_on(left, site);
}
LAB_PHASE(lab_at_thread_end, LAB_EARLY + 1, leave_signals);

EXPORTED int sigpending(sigset_t *set) {
    if (!is_controlled()) return REAL(sigpending, int, sigset_t *)(set);
    lab_note_call("sigpending");
    lab_note_access(set, sizeof *set, 1, SITE);
    lab_lock_signals(SITE);
    signals_t pending = (signals | threads[me()].sent) & threads[me()].blocked;
    lab_unlock_signals(SITE);
    write_set(set, pending);
    return 0;
}

// MARK: - Waiting

static void refuse_timers(uint64_t site) {
    static const char text[] = "waits for a signal, and has timers that send some, which threadlab does not support";
    if (lab_has_timers()) lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
}

// Until one of these is pending, which it takes. 0: the time is over, or another signal was handled.
static int await(signals_t wanted, siginfo_t *info, int64_t deadline, lab_handled_t *handled, uint64_t site) {
    refuse_timers(site);
    lab_place_t place = place_at(site);
    lab_enter(place);
    threads[me()].awaited = wanted;
    int is_late = 0, number = 0;
    while (!(number = take(wanted, info)) && !is_late && !lab_is_interrupted()) is_late = !lab_wait(place, deadline);
    threads[me()].awaited = 0;
    int is_interrupted = lab_leave(place);
    *handled = is_interrupted && !number ? lab_answer(site) : lab_not_handled;
    return number;
}

// Fails with EAGAIN if the time is over, or with EINTR.
static int wait_for(const sigset_t *set, siginfo_t *info, int64_t deadline, uint64_t site) {
    lab_note_call("sigwait");
    lab_note_access(set, sizeof *set, 0, site);
    signals_t wanted = read_set(set);
    siginfo_t found;
    lab_handled_t handled;
    int number;
    do number = await(wanted, &found, deadline, &handled, site);
    while (!number && !handled && deadline > lab_state->program.now);
    if (number && info) lab_note_access(info, sizeof *info, 1, site), *info = found;
    if (!number) errno = handled ? EINTR : EAGAIN;
    return number ? number : -1;
}

EXPORTED int sigwait(const sigset_t *set, int *number) {
    if (!is_controlled()) return REAL(sigwait, int, const sigset_t *, int *)(set, number);
    // A handler of another signal does not end it.
    int found;
    while ((found = wait_for(set, NULL, COMPILED_NEVER, SITE)) < 0) {}
    lab_note_access(number, sizeof *number, 1, SITE);
    *number = found;
    return 0;
}

EXPORTED int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    if (!is_controlled()) return REAL(sigwaitinfo, int, const sigset_t *, siginfo_t *)(set, info);
    return wait_for(set, info, COMPILED_NEVER, SITE);
}

EXPORTED int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit) {
    if (!is_controlled()) return REAL(sigtimedwait, int, const sigset_t *, siginfo_t *, const struct timespec *)(set, info, limit);
    return wait_for(set, info, limit ? lab_deadline_after(limit) : COMPILED_NEVER, SITE);
}

// Until a handler has been called. is_changed: a handler that is called as the wait begins ends it, because that has unblocked its signal.
static void suspend(int is_changed, uint64_t site) {
    refuse_timers(site);
    lab_handled_t handled = is_changed ? lab_deliver_signals(site) : lab_not_handled;
    lab_place_t place = place_at(site);
    while (!handled) {
        lab_handled_t at_begin = lab_enter(place);
        if (is_changed) handled = at_begin;
        signals_t *sent = &threads[me()].sent;
        while (!handled && !((signals | *sent) & ~threads[me()].blocked) && !lab_is_interrupted()) lab_wait(place, COMPILED_NEVER);
        lab_leave(place);
        if (handled) break;
        handled = lab_answer(site);
        if (!handled) handled = lab_deliver_signals(site);
    }
    errno = EINTR;
}

EXPORTED int sigsuspend(const sigset_t *set) {
    if (!is_controlled()) return REAL(sigsuspend, int, const sigset_t *)(set);
    lab_note_call("sigsuspend");
    uint64_t before = lab_swap_mask(set, SITE);
    suspend(1, SITE);
    lab_put_mask_back(before, SITE);
    errno = EINTR;
    return -1;
}

EXPORTED int pause(void) {
    if (!is_controlled()) return REAL(pause, int, void)();
    lab_note_call("pause");
    suspend(0, SITE);
    return -1;
}

#endif
