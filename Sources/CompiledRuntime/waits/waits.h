// Waits that others end: cancellation, and signals that threads send to each other. By the file that has them.
#pragma once

#include "process/state.h"

// What handlers of signals have done to the call that they came in: none was called, the call continues, it fails with EINTR.
typedef enum { lab_not_handled, lab_continues, lab_ends } lab_handled_t;

// interruptions.c
// The running thread can be cancelled while it waits; can be, or get a signal.
HIDDEN int lab_can_be_cancelled(void);
HIDDEN int lab_can_be_interrupted(void);
// Looks whether the thread is cancelled, and for signals, which it handles. A step.
HIDDEN lab_handled_t lab_look(int is_point, uint64_t site);
// Before a call whose first step is on a lock of the runtime.
HIDDEN void lab_look_first(uint64_t site);
// A step on what the thread is asked for; then others know, or do not know yet, where it waits.
HIDDEN void lab_access_requests(int thread, compiled_kind_t kind, uint64_t site);
// Between the two, the running thread has the lock of the place, and can wait at it; what others ask for interrupts that.
HIDDEN lab_handled_t lab_enter(lab_place_t place);
// The same for what no cancellation ends.
HIDDEN lab_handled_t lab_enter_lock(lab_place_t place);
// False: the time is over, or the wait is interrupted.
HIDDEN int lab_wait(lab_place_t place, int64_t deadline);
// Whether it was interrupted: then lab_answer comes next, if the thread has not got what it waited for.
HIDDEN int lab_leave(lab_place_t place);
// The thread ends, if it is cancelled and was in a wait that ends with that; otherwise it handles signals.
HIDDEN lab_handled_t lab_answer(uint64_t site);
// The lock of a wait that can be interrupted orders what POSIX does not, so nothing is proved.
HIDDEN void lab_note_interruptible(void);
// Adds to what the thread is asked for. Returns whether it waits: then the other is to be called.
HIDDEN int lab_call(int thread, uint64_t request, uint64_t site);
HIDDEN void lab_interrupt(int thread, uint64_t request, uint64_t site);
// All that wait at the place, with its lock held.
HIDDEN void lab_wake_all(lab_place_t place);
// Takes a lock by the attempts that this makes. 0: the time is over.
HIDDEN int64_t lab_lock_interruptibly(compiled_request_t attempt, int64_t deadline);
// The lock was released.
HIDDEN void lab_wake_lockers(const volatile void *lock, uint64_t site);

// cancellation.c
// The thread does not come back from there if it was cancelled.
HIDDEN void lab_test_cancellation(uint64_t site);
// The same for a thread that can be cancelled at any moment.
HIDDEN void lab_test_asynchronous(uint64_t site);
// The same at the beginning of what the program calls: where a thread that was cancelled before the call ends.
HIDDEN void lab_begin_point(uint64_t site);

// actions.c
// As in the kernel, the first is 1.
enum { MOST_SIGNALS = 64 };
// The program's action for the signal. 0: it is known.
HIDDEN int lab_signal_action(int number, struct sigaction *action);
HIDDEN void lab_set_action(int number, const struct sigaction *action);
// Its own handler is not called again.
HIDDEN void lab_reset_action(int number);

// signals.c
// A write that nothing reads has failed: whether SIGPIPE is to be taken. From here on the caller does.
HIDDEN int lab_was_pipe_broken(void);
// The thread continues in its own handler of this fault, which is the execution's end if that returns. False: it has none.
HIDDEN int lab_enter_handler(int number, const siginfo_t *info, void *context, compiled_request_t fault);

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

// polls.c: and those that wait for one of several. With its lock held.
HIDDEN void lab_stir(int channel, uint64_t site);
