// What a program sets for its whole process: the actions and masks of signals, the working directory, and the mask of
// new files. All of it is restored after an execution. The signals of faults are threadlab's, because the first write
// to a remembered page is a fault; for the program's own faults, threadlab calls the program's handlers. Handlers of
// other signals are called by delivery.c. All variables here are in the program's memory, and are restored with it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

// In bytes. RED_ZONE: what a function may use below the stack pointer without moving it. LEAST_STACK: what has to be
// left of a thread's stack for a handler. ALIGNMENT: that of the data which a handler gets.
enum { RED_ZONE = 128, LEAST_STACK = 16 * PAGE, ALIGNMENT = 64 };

// The mask of new files and the working directory before the program first changed them.
static mode_t creation_before;
static int is_creation_changed;
static int folder_before, is_folder_changed;

static int real_action(int number, const struct sigaction *action, struct sigaction *old) {
    return REAL(sigaction, int, int, const struct sigaction *, struct sigaction *)(number, action, old);
}

// The process's mask when the program was loaded, without the signals of faults.
static sigset_t first_mask;

static void set_real_mask(const sigset_t *set, sigset_t *old) {
    REAL(pthread_sigmask, int, int, const sigset_t *, sigset_t *)(SIG_SETMASK, set, old);
}

static void remember_mask(void) {
    set_real_mask(NULL, &first_mask);
    lab_leave_faults_out(&first_mask);
}
LAB_PHASE(lab_at_load, LAB_ANY, remember_mask);

static void put_mask_back(void) { set_real_mask(&first_mask, NULL); }
LAB_PHASE(lab_at_start, LAB_ANY, put_mask_back);

// MARK: - What the program sets

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (!is_controlled()) return real_action(number, action, old);
    if (number <= 0 || number > MOST_SIGNALS || (action && (number == SIGKILL || number == SIGSTOP))) {
        errno = EINVAL;
        return -1;
    }
    // The action is shared by all threads.
    if (lab_state->unjoined > 1) lab_note_call("sigaction");
    struct sigaction after;
    if (action) lab_note_access(action, sizeof *action, 0, SITE), after = *action;
    if (old) lab_note_access(old, sizeof *old, 1, SITE);
    lab_lock_signals(SITE);
    struct sigaction before;
    lab_signal_action(number, &before);
    if (action) lab_set_action(number, &after), lab_discard_signals(number);
    lab_unlock_signals(SITE);
    if (action) lab_check_timers(SITE);
    if (old) *old = before;
    return 0;
}

// Whether a write of the running thread has failed because nothing reads any more, so that the thread gets SIGPIPE
// before its next step.
LAB_EACH_EXECUTION(int, is_pipe_broken);
// Whether SIGPIPE was ignored before all executions.
static int ignores_pipes;

static void take_broken_pipe(int number) {
    if (is_controlled()) *is_pipe_broken = 1;
    else if (!ignores_pipes) lab_die(number);
}

int lab_was_pipe_broken(void) {
    int was = is_pipe_broken && *is_pipe_broken;
    if (was) *is_pipe_broken = 0;
    return was;
}

static void begin_step(fiber_t *running, compiled_request_t *request) {
    if (*is_pipe_broken && !running->held && lab_was_pipe_broken()) lab_signal_self(SIGPIPE, request->site);
}
LAB_BEFORE_STEP(LAB_ANY, begin_step);

static void take_broken_pipes(void) {
    struct sigaction action = {.sa_handler = take_broken_pipe}, before;
    if (real_action(SIGPIPE, &action, &before) == 0) ignores_pipes = before.sa_handler == SIG_IGN;
}
LAB_PHASE(lab_before_all, LAB_ANY, take_broken_pipes);

// By signal: whether handlers that `signal` sets from now on end system calls, as siginterrupt has asked for.
static uint8_t ends_calls_of[_NSIG];

EXPORTED sighandler_t signal(int number, sighandler_t handler) {
    if (!is_controlled()) return REAL(signal, sighandler_t, int, sighandler_t)(number, handler);
    int ends_calls = number > 0 && number < _NSIG && ends_calls_of[number];
    struct sigaction action = {.sa_handler = handler, .sa_flags = ends_calls ? 0 : SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

// `signal` of System V, which headers put in the place of `signal` in strict standard C: the handler is called once,
// and its signal is not blocked meanwhile.
EXPORTED sighandler_t __sysv_signal(int number, sighandler_t handler) {
    if (!is_controlled()) return REAL(__sysv_signal, sighandler_t, int, sighandler_t)(number, handler);
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)}, old;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

// Changes a flag of the signal's action here. The C library's function would change the system's action.
EXPORTED int siginterrupt(int number, int ends_calls) {
    if (!is_controlled()) return REAL(siginterrupt, int, int, int)(number, ends_calls);
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0) return -1;
    ends_calls_of[number] = ends_calls != 0;
    if (ends_calls) action.sa_flags &= ~SA_RESTART;
    else action.sa_flags |= SA_RESTART;
    return sigaction(number, &action, NULL);
}

// Each thread has its own mask, which the system does not know.
static int change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site) {
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    if (set) lab_note_access(set, sizeof *set, 0, site);
    if (old) lab_note_access(old, sizeof *old, 1, site);
    lab_change_mask(how, set, old, site);
    return 0;
}

static int set_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site) {
    if (is_controlled()) return change_mask(how, set, old, site);
    int failure = REAL(pthread_sigmask, int, int, const sigset_t *, sigset_t *)(how, set, old);
    // What constructors block stays blocked in main.
    if (!failure && !lab_state) lab_change_mask(how, set, NULL, site);
    return failure;
}

EXPORTED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) { return set_mask(how, set, old, SITE); }

EXPORTED int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    int failure = set_mask(how, set, old, SITE);
    if (failure) errno = failure;
    return failure ? -1 : 0;
}

EXPORTED int sigaltstack(const stack_t *stack, stack_t *old) {
    if (!is_controlled()) return REAL(sigaltstack, int, const stack_t *, stack_t *)(stack, old);
    stack_t *own = &lab_state->fibers[lab_state->current].signal_stack, before = *own;
    if (stack) lab_note_access(stack, sizeof *stack, 0, SITE);
    if (old) lab_note_access(old, sizeof *old, 1, SITE);
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

static void put_process_back(void) {
    if (is_creation_changed) REAL(umask, mode_t, mode_t)(creation_before);
    if (is_folder_changed && folder_before >= 0) REAL(fchdir, int, int)(folder_before);
}
// After find_libraries, because names of libraries may be relative to the program's directory, and before the variables
// here are restored.
LAB_PHASE(lab_after_execution, LAB_FIRST + 1, put_process_back);

// MARK: - The program's handlers of faults

// By thread: the fault whose handler runs, as the request that ends the execution if the handler returns.
LAB_EACH_THREAD(compiled_request_t, faults);

// Called when a handler of a fault has returned: the fault ends the execution.
__attribute__((used, visibility("hidden"))) void lab_end_handler(void) {
    lab_ask(faults[lab_state->current]);
    abort();
}

// The code to which a handler of a fault returns.
__attribute__((naked)) static void after_handler(void) { __asm__ volatile("call lab_end_handler"); }

int lab_enter_handler(int number, const siginfo_t *info, void *context, compiled_request_t fault) {
    struct sigaction action;
    if (lab_signal_action(number, &action) != 0) return 0;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return 0;
    // The system ends a process that has a fault whose signal it blocks.
    if (lab_own_mask() & (uint64_t)1 << (number - 1)) return 0;
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t top = (uintptr_t)registers[REG_RSP] - RED_ZONE;
    const stack_t *own = &fiber->signal_stack;
    int has_own = (action.sa_flags & SA_ONSTACK) && own->ss_sp && !(own->ss_flags & SS_DISABLE);
    if (has_own) top = (uintptr_t)own->ss_sp + own->ss_size;
    // Too little is left of the thread's stack, or the thread is on another one.
    else if (top - (uintptr_t)fiber->stack > STACK || top - (uintptr_t)fiber->stack < LEAST_STACK) return 0;
    struct {
        siginfo_t info;
        ucontext_t context;
    } *passed = (void *)((top - sizeof *passed) & ~(uintptr_t)(ALIGNMENT - 1));
    passed->info = *info;
    passed->context = *(ucontext_t *)context;
    void **stack = (void **)passed - 1;
    *stack = (void *)after_handler;
    if (action.sa_flags & SA_RESETHAND) {
        struct sigaction reset = action;
        reset.sa_handler = SIG_DFL;
        lab_set_action(number, &reset);
    }
    faults[lab_state->current] = fault;
    // The handler begins on that stack, with its three arguments.
    registers[REG_RSP] = (greg_t)stack;
    registers[REG_RIP] = (greg_t)action.sa_handler;
    registers[REG_RDI] = number;
    registers[REG_RSI] = (greg_t)&passed->info;
    registers[REG_RDX] = (greg_t)&passed->context;
    // Functions expect that this flag is clear.
    enum { DIRECTION_FLAG = 0x400 };
    registers[REG_EFL] &= ~(greg_t)DIRECTION_FLAG;
    return 1;
}

#endif
