// The signals of faults, such as SIGSEGV: installs threadlab's actions for them, and the stack on which they are
// handled.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1u << 31)
#endif

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
enum { FAULTS = sizeof faults / sizeof *faults };
// The actions before the last call of lab_take_faults.
static struct sigaction before[FAULTS];

static void set_action(int number, const struct sigaction *action, struct sigaction *old) {
    REAL(sigaction, int, int, const struct sigaction *, struct sigaction *)(number, action, old);
}

void lab_take_faults(const struct sigaction *action) {
    for (int i = 0; i < FAULTS; i++) set_action(faults[i], action, &before[i]);
}

void lab_give_faults_back(void) {
    for (int i = 0; i < FAULTS; i++) set_action(faults[i], &before[i], NULL);
}

void lab_leave_faults_out(sigset_t *set) {
    for (int i = 0; i < FAULTS; i++) sigdelset(set, faults[i]);
}

// The size of the stack on which faults are handled, in bytes.
enum { FAULT_STACK = 1 << 16 };
static void *fault_stack;

int lab_arm_fault_stack(void) {
    if (!fault_stack) return 0;
    // SS_AUTODISARM: the system does not use this stack for another fault while a handler runs on it. A thread may stay
    // in the handler while the engine runs. A fault of the engine is then handled on the engine's own stack.
    stack_t place = {.ss_sp = fault_stack, .ss_size = FAULT_STACK, .ss_flags = (int)SS_AUTODISARM};
    return REAL(sigaltstack, int, const stack_t *, stack_t *)(&place, NULL) == 0;
}

int lab_make_fault_stack(void) {
    void *stack = lab_map(FAULT_STACK, 0);
    if (stack != MAP_FAILED) fault_stack = stack;
    return lab_arm_fault_stack();
}

void lab_die(int number) {
    REAL(signal, sighandler_t, int, sighandler_t)(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    REAL(sigprocmask, int, int, const sigset_t *, sigset_t *)(SIG_UNBLOCK, &set, NULL);
    REAL(kill, int, pid_t, int)(getpid(), number);
    _exit(128 + number); // as shells report the signal
}
LAB_OFFER(die, lab_die);

#endif
