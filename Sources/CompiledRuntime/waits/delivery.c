// Signals that the program's threads send to their process and to each other (kill, raise, pthread_kill), and waits for
// signals. The system does not see these signals: their state is in variables here, which are read and written under a
// lock. A thread that does not block a signal learns of it from its requests (fiber.h), which it reads in a step of its
// own before each other step. If it waits, its wait is interrupted (interruptions.c), as on a real system.
//
// The lock orders memory in ways that POSIX does not promise for signals, so a program that sends signals is never
// proved.
//
// All variables here are in the program's memory, and are restored with it.
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

// The pending signals of the process. The address of this variable is also the place where threads wait for signals.
static signals_t signals;

static struct {
    // The thread's own pending signals, and its mask.
    signals_t sent, blocked;
    // While it waits for signals: those that end the wait.
    signals_t awaited;
    // Whether the thread is ending, so that it handles no more signals.
    int is_gone;
} threads[MOST_THREADS];

static signals_t bit(int number) { return (signals_t)1 << (number - 1); }

// SIGKILL and SIGSTOP can be neither blocked nor awaited.
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

// In this order: from ends_process on, the execution cannot continue.
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

// Ends the execution because the signal would end the process, or stop it.
static void end_process(int number, effect_t effect, uint64_t site) {
    static const char text[] = "stops itself by a signal, which threadlab does not support";
    int stops = effect == stops_process;
    lab_ask((compiled_request_t){.kind = stops ? compiled_unsupported : compiled_crash, .a = number, .text = stops ? text : NULL, .site = site});
}

// MARK: - Sending

// Whether the thread can get the signal: it does not block the signal, or waits for it.
static int takes(int thread, int number) {
    return !threads[thread].is_gone && ((~threads[thread].blocked | threads[thread].awaited) & bit(number)) != 0;
}

// Chooses a thread that can get a signal of the process. If several can, the scheduler chooses. -1: none can.
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

// Adds a request to the thread, because there is a signal for it. Returns whether the caller has to interrupt the
// thread's wait. Does nothing for the running thread and for -1.
static int add_request(int thread, int number, uint64_t site) {
    if (thread < 0 || thread == me()) return 0;
    if (lab_state->handles_signals) return lab_call(thread, LAB_SIGNAL, site);
    if (!(threads[thread].awaited & bit(number))) lab_learn_signals(site);
    return 0;
}

// Whether a signal for the receiver (-1: the process) has no effect: its action is to ignore it, and no thread that
// could get it blocks it. Threads can wait for a blocked signal even if its action is to ignore it.
static int is_dropped(int receiver, int number) {
    signals_t blocked = 0;
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if ((receiver < 0 || receiver == thread) && !threads[thread].is_gone) blocked |= threads[thread].blocked;
    }
    return effect_of(number) == does_nothing && !(blocked & bit(number));
}

// Sends a signal. receiver: a thread. -1: the process.
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
    int waits = add_request(thread, number, site);
    if (lab_state->unjoined > 1) lab_wake_all(place_at(site));
    lab_unlock_signals(site);
    if (waits) lab_interrupt(thread, LAB_SIGNAL, site);
    if (thread == me()) lab_deliver_signals(site);
}

// Offers these pending signals of the process to other threads, because the running thread no longer takes them.
static void pass_on(signals_t left, uint64_t site) {
    while (left) {
        int number = __builtin_ctzll(left) + 1;
        left &= ~bit(number);
        lab_lock_signals(site);
        int thread = signals & bit(number) ? choose_thread(number, site) : -1;
        int waits = add_request(thread, number, site);
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

int lab_kill(pid_t process, int number, uint64_t site) {
    lab_note_call("kill");
    if (is_controlled() && (process == getpid() || process == 0 || process == -lab_system(SYS_getpgid, 0, 0, 0, 0, 0, 0))) return send_to_process(number, site);
    return REAL(kill, int, pid_t, int)(process, number);
}

EXPORTED int kill(pid_t process, int number) { return lab_kill(process, number, SITE); }

// A signal to the process's own group goes to the process alone, as in lab_kill.
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

// A thread's number (TID) is the process's number plus its number in the execution (gettid).
int lab_tgkill(pid_t process, pid_t thread, int number, uint64_t site) {
    lab_note_call("tgkill");
    if (!is_controlled() || process != getpid()) return (int)lab_system(SYS_tgkill, (uint64_t)process, (uint64_t)thread, (uint64_t)number, 0, 0, 0);
    int index = thread - process, is_known = index >= 0 && index < lab_state->thread_count;
    int failure = is_known ? send_to_thread(index, number, site) : ESRCH;
    if (failure) errno = failure;
    return failure ? -1 : 0;
}

EXPORTED int tgkill(pid_t process, pid_t thread, int number) { return lab_tgkill(process, thread, number, SITE); }

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
    if (!lab_state->handles_signals || threads[me()].is_gone) return 0;
    // These signals do not count: the first two cannot be blocked, and the others are faults.
    signals_t never = bit(SIGKILL) | bit(SIGSTOP) | bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) | bit(SIGTRAP);
    return (~threads[me()].blocked & ~never) != 0;
}

// Removes the first pending signal among `wanted`, and describes it in `info`. The thread's own signals come before
// those of the process. 0: none is pending.
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

// Calls the handler with the first three arguments, on `stack`, or on the present stack if `stack` is null.
void lab_call_handler(int number, siginfo_t *info, void *context, void *handler, void *stack);
__asm__(".pushsection lab_text, \"ax\", @progbits\n.hidden lab_call_handler\n.globl lab_call_handler\n"
        ".type lab_call_handler, @function\nlab_call_handler:\n"
        ".cfi_startproc\npushq %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbp, -16\n"
        "movq %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"
        "testq %r8, %r8\nje 1f\nmovq %r8, %rsp\n1: call *%rcx\n"
        "movq %rbp, %rsp\npopq %rbp\n.cfi_def_cfa %rsp, 8\nret\n"
        ".cfi_endproc\n.size lab_call_handler, . - lab_call_handler\n.popsection\n");

// The stack that the thread has set for the handler. Null: the handler runs on the present stack.
static void *stack_for(const struct sigaction *action) {
    const stack_t *own = &lab_state->fibers[me()].signal_stack;
    if (!(action->sa_flags & SA_ONSTACK) || !own->ss_sp || (own->ss_flags & SS_DISABLE)) return NULL;
    uint64_t here = (uint64_t)__builtin_frame_address(0) - (uint64_t)own->ss_sp;
    // The first write to a page is a fault, whose handler needs a stack that it can write to. So the pages of this one
    // are made writable.
    lab_make_writable(own->ss_sp, own->ss_size);
    return here < own->ss_size ? NULL : (void *)(((uint64_t)own->ss_sp + own->ss_size) & ~(uint64_t)15);
}

// Calls a handler. First, pending signals that are not blocked while it runs are handled, as if they interrupted it at
// its beginning. Returns the mask with which the thread is to continue: `before`, unless the handler changes it in the
// context.
static signals_t call_handler(const struct sigaction *action, siginfo_t *info, signals_t before, uint64_t site) {
    // The context contains the mask, but not the thread's registers.
    ucontext_t context;
    memset(&context, 0, sizeof context);
    write_set(&context.uc_sigmask, before);
    int error = errno;
    lab_deliver_signals(site);
    lab_call_handler(info->si_signo, info, &context, (void *)action->sa_sigaction, stack_for(action));
    errno = error;
    return read_set(&context.uc_sigmask);
}

// A handler may leave by a jump (siglongjmp). So what must be done even then is done before its call.
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
    if (!lab_state->sends_signals || lab_state->unjoined < 2) return 0;
    lab_lock_signals(site);
    return 1;
}

void lab_end_making(int is_locked, uint64_t site) {
    if (is_locked) lab_unlock_signals(site);
}

uint64_t lab_own_mask(void) { return threads[me()].blocked; }

// Sets the running thread's mask. Returns whether a signal is pending that the mask does not block.
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

// Called before a thread ends: offers pending signals of the process to other threads.
static void leave_signals(void) {
    if (!lab_state->sends_signals) return;
    uint64_t site = 0;
    lab_lock_signals(site);
    signals_t left = signals & ~threads[me()].blocked;
    threads[me()].is_gone = 1;
    lab_unlock_signals(site);
    if (lab_state->handles_signals) pass_on(left, site);
}
// After forget_condition, and before abandon_mutexes, whose steps then handle no signals.
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

// Ends the execution of a program that waits for signals while it has timers, which never send any here.
static void refuse_timers(uint64_t site) {
    static const char text[] = "waits for a signal, and has timers that send some, which threadlab does not support";
    if (lab_has_timers()) lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = site});
}

// Waits until one of these signals is pending, and removes it. 0: the deadline has passed, or the wait was interrupted;
// `*handled` says which handlers ran then.
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

// Waits for a signal of the set, like sigtimedwait. Returns its number; -1: fails with EAGAIN if the deadline has
// passed, or with EINTR.
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
    // Handlers of other signals do not end the wait.
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

// Waits until a handler has been called. is_changed: the caller has changed the mask. Then handlers of unblocked
// signals, which run as the wait begins, end it, too.
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
