// Signals that threads send to each other. By the file that has them.
#pragma once

#include "state.h"

// signals.c
// Before threadlab sets any.
HIDDEN void lab_remember_actions(void);
// What the system blocks before the program's constructors, and again when they have been called: what they block is blocked for the program's
// threads alone, because memory is put back after faults.
HIDDEN void lab_remember_mask(void);
HIDDEN void lab_begin_masks(void);
// A write that nothing reads: threadlab's handler of the system's signal.
HIDDEN void lab_take_broken_pipes(void);
// The running thread gets SIGPIPE, if a write of it has failed so.
HIDDEN void lab_take_broken_pipe(uint64_t site);
// Whether that is to be taken; from here on the caller does.
HIDDEN int lab_was_pipe_broken(void);
// Sets the handler of all faults.
HIDDEN void lab_take_faults(const struct sigaction *action);
// As they were when the engine began.
HIDDEN void lab_give_faults_back(void);
// The thread continues in its own handler of this fault, which is the execution's end if that returns. False: it has none.
HIDDEN int lab_enter_handler(int number, const siginfo_t *info, void *context, compiled_request_t fault);
// Before memory is.
HIDDEN void lab_put_process_back(void);

// The program's action for the signal. 0: it is known.
HIDDEN int lab_signal_action(int number, struct sigaction *action);

// Its own handler is not called again.
HIDDEN void lab_reset_action(int number);

// delivery.c
// A signal could be handled by the running thread, at its next step.
HIDDEN int lab_can_be_signalled(void);
// The running thread handles those that it does not block.
HIDDEN lab_handled_t lab_deliver_signals(uint64_t site);
// The running thread has sent itself one.
HIDDEN void lab_signal_self(int number, uint64_t site);
// With the lock of what is known of signals: what is pending and would be ignored from now on is forgotten, also if it is blocked.
HIDDEN void lab_discard_signals(int number);
// The lock of what is known of signals.
HIDDEN void lab_lock_signals(uint64_t site);
HIDDEN void lab_unlock_signals(uint64_t site);
// A new thread blocks what the running one blocks.
HIDDEN void lab_inherit_mask(int thread);
// Around the making of a thread: whether it can get a signal depends on whether that was sent before.
HIDDEN int lab_begin_making(uint64_t site);
HIDDEN void lab_end_making(int is_locked, uint64_t site);
// The running thread handles no signals any more.
HIDDEN void lab_leave_signals(uint64_t site);
// As pthread_sigmask.
HIDDEN void lab_change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site);
// Without handling what is no longer blocked. Returns what was blocked before.
HIDDEN uint64_t lab_swap_mask(const sigset_t *set, uint64_t site);
HIDDEN void lab_put_mask_back(uint64_t before, uint64_t site);
// What the running thread blocks, without a step.
HIDDEN uint64_t lab_own_mask(void);

// timers.c
// The program has a timer that sends a signal; ends the execution if it handles that.
HIDDEN int lab_has_timers(void);
HIDDEN void lab_check_timers(uint64_t site);
