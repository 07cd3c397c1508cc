// What a program sets for its whole process: handlers and masks of signals, its directory, the mask of new files. They are put back after
// an execution. Signals of faults are the runtime's, to which writes to remembered pages are faults: the program's handlers of them are kept
// here, and called for its own faults. All variables here are the program's memory, and so put back, too.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIGNALS = 65, RED_ZONE = 128 };

// By signal: of faults, what the program has set; of others, what was set before it changed that.
static struct sigaction actions[SIGNALS];
static uint8_t is_changed[SIGNALS];
// What the program knows of the others: threadlab has set some for itself.
static struct sigaction known[SIGNALS];
static sigset_t mask_before;
static int is_mask_changed;
static mode_t creation_before;
static int is_creation_changed;
static int folder_before, is_folder_changed;

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
enum { FAULTS = sizeof faults / sizeof *faults };

static int is_fault(int number) {
    for (int i = 0; i < FAULTS; i++) {
        if (faults[i] == number) return 1;
    }
    return 0;
}

static int real_action(int number, const struct sigaction *action, struct sigaction *old) {
    return REAL(sigaction, int, int, const struct sigaction *, struct sigaction *)(number, action, old);
}

void lab_remember_actions(void) {
    for (int number = 1; number < SIGNALS; number++) real_action(number, NULL, &known[number]);
}

void lab_take_faults(const struct sigaction *action) {
    for (int i = 0; i < FAULTS; i++) real_action(faults[i], action, &actions[faults[i]]);
}

// MARK: - What the program sets

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (!is_controlled() || number <= 0 || number >= SIGNALS) return real_action(number, action, old);
    struct sigaction before, after;
    // Of all threads, and no step.
    if (lab_state->unjoined > 1) lab_note_call("sigaction");
    if (action) lab_note_access(action, sizeof *action, 0, SITE), after = *action;
    if (old) lab_note_access(old, sizeof *old, 1, SITE);
    if (is_fault(number)) {
        before = actions[number];
        if (action) actions[number] = after;
    } else {
        struct sigaction real;
        if (real_action(number, action ? &after : NULL, &real) != 0) return -1;
        if (action && !is_changed[number]) actions[number] = real;
        if (action) is_changed[number] = 1;
        before = known[number];
        if (action) known[number] = after;
    }
    if (old) *old = before;
    return 0;
}

int lab_signal_action(int number, struct sigaction *action) { return sigaction(number, NULL, action); }

EXPORTED sighandler_t signal(int number, sighandler_t handler) {
    if (!is_controlled()) return REAL(signal, sighandler_t, int, sighandler_t)(number, handler);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

// That of the system is one for all threads: it is for signals that the system sends.
static int change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site) {
    sigset_t before, after;
    if (old) lab_note_access(old, sizeof *old, 1, site);
    if (set) {
        lab_note_access(set, sizeof *set, 0, site);
        after = *set;
        // Otherwise the first write to a page would end the process.
        for (int i = 0; how != SIG_UNBLOCK && i < FAULTS; i++) sigdelset(&after, faults[i]);
    }
    int failure = REAL(pthread_sigmask, int, int, const sigset_t *, sigset_t *)(how, set ? &after : NULL, &before);
    if (failure) return failure;
    if (set && !is_mask_changed) {
        mask_before = before;
        is_mask_changed = 1;
    }
    lab_change_mask(how, set, old, site);
    return 0;
}

EXPORTED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    if (is_controlled()) return change_mask(how, set, old, SITE);
    return REAL(pthread_sigmask, int, int, const sigset_t *, sigset_t *)(how, set, old);
}

EXPORTED int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    if (!is_controlled()) return REAL(sigprocmask, int, int, const sigset_t *, sigset_t *)(how, set, old);
    int failure = change_mask(how, set, old, SITE);
    if (failure) errno = failure;
    return failure ? -1 : 0;
}

EXPORTED int sigaltstack(const stack_t *stack, stack_t *old) {
    if (!is_controlled()) return REAL(sigaltstack, int, const stack_t *, stack_t *)(stack, old);
    stack_t *own = &lab_state->fibers[lab_state->current].signal_stack, before = *own;
    if (stack) *own = *stack;
    if (!before.ss_sp) before.ss_flags = SS_DISABLE;
    if (old) *old = before;
    return 0;
}

EXPORTED mode_t umask(mode_t mask) {
    if (is_controlled() && lab_state->unjoined > 1) lab_note_call("umask");
    mode_t before = REAL(umask, mode_t, mode_t)(mask);
    if (is_controlled() && !is_creation_changed) {
        creation_before = before;
        is_creation_changed = 1;
    }
    return before;
}

static void note_folder(void) {
    if (is_controlled() && lab_state->unjoined > 1) lab_note_call("chdir");
    if (!is_controlled() || is_folder_changed) return;
    folder_before = open(".", O_PATH | O_CLOEXEC);
    is_folder_changed = 1;
}

EXPORTED int chdir(const char *path) {
    note_folder();
    return REAL(chdir, int, const char *)(path);
}

EXPORTED int fchdir(int folder) {
    note_folder();
    return REAL(fchdir, int, int)(folder);
}

void lab_put_process_back(void) {
    for (int number = 1; number < SIGNALS; number++) {
        if (is_changed[number]) real_action(number, &actions[number], NULL);
    }
    if (is_mask_changed) REAL(pthread_sigmask, int, int, const sigset_t *, sigset_t *)(SIG_SETMASK, &mask_before, NULL);
    if (is_creation_changed) REAL(umask, mode_t, mode_t)(creation_before);
    if (is_folder_changed && folder_before >= 0) REAL(fchdir, int, int)(folder_before);
}

// MARK: - The program's handlers of faults

__attribute__((used, visibility("hidden"))) void lab_end_handler(void) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    lab_ask(fiber->fault);
    abort();
}

__attribute__((naked)) static void after_handler(void) { __asm__ volatile("call lab_end_handler"); }

int lab_enter_handler(int number, const siginfo_t *info, void *context, compiled_request_t fault) {
    struct sigaction action = actions[number];
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return 0;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t top = (uintptr_t)registers[REG_RSP] - RED_ZONE;
    const stack_t *own = &fiber->signal_stack;
    int has_own = (action.sa_flags & SA_ONSTACK) && own->ss_sp && !(own->ss_flags & SS_DISABLE);
    if (has_own) top = (uintptr_t)own->ss_sp + own->ss_size;
    // Nothing is left of the thread's stack: it was too deep.
    else if (top - (uintptr_t)fiber->stack > STACK || top - (uintptr_t)fiber->stack < 16 * PAGE) return 0;
    struct {
        siginfo_t info;
        ucontext_t context;
    } *passed = (void *)((top - sizeof *passed) & ~(uintptr_t)63);
    passed->info = *info;
    passed->context = *(ucontext_t *)context;
    void **stack = (void **)passed - 1;
    *stack = (void *)after_handler;
    if (action.sa_flags & SA_RESETHAND) actions[number].sa_handler = SIG_DFL;
    fiber->fault = fault;
    registers[REG_RSP] = (greg_t)stack;
    registers[REG_RIP] = (greg_t)action.sa_handler;
    registers[REG_RDI] = number;
    registers[REG_RSI] = (greg_t)&passed->info;
    registers[REG_RDX] = (greg_t)&passed->context;
    // The direction of strings, which functions expect to be forward.
    registers[REG_EFL] &= ~(greg_t)0x400;
    return 1;
}

#endif
