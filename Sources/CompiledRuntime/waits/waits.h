// Waits that another thread can end, by cancelling the waiting thread or by sending it a signal. The declarations are
// grouped by the file that implements them.
#pragma once

#include "process/state.h"

// The effect of signal handling on the call during which it happened.
typedef enum {
    // No handler ran.
    lab_not_handled,
    // Handlers ran, all with SA_RESTART: the call continues.
    lab_continues,
    // A handler without SA_RESTART ran: the call fails with EINTR.
    lab_ends,
} lab_handled_t;

// interruptions.c
// Whether a cancellation can end a wait of the running thread; whether a cancellation or a signal can.
HIDDEN int lab_can_be_cancelled(void);
HIDDEN int lab_can_be_interrupted(void);
// Takes a step that reads the requests to the running thread: at a cancellation point (`is_point`), ends the thread if
// it is cancelled; otherwise handles its signals, and looks again until none is new.
HIDDEN lab_handled_t lab_look(int is_point, uint64_t site);
// Handles pending signals before a call that begins by taking a lock of the runtime, because while the thread holds
// such a lock it handles none.
HIDDEN void lab_look_first(uint64_t site);
// Takes a step (a load or a store, `kind`) on the requests to `thread`. The order of such steps decides whether a
// thread that sends a request finds the other in its wait.
HIDDEN void lab_access_requests(int thread, compiled_kind_t kind, uint64_t site);
// Handles pending requests, publishes `place` as where the running thread waits (if its wait can be interrupted), and
// takes the lock of the place. Until lab_leave, the thread can call lab_wait, and a cancellation or signal interrupts
// it.
HIDDEN lab_handled_t lab_enter(lab_place_t place);
// Like lab_enter, for a wait that is not a cancellation point: only signals interrupt it.
HIDDEN lab_handled_t lab_enter_lock(lab_place_t place);
// Waits at the place for a wake-up. Returns false if the deadline has passed. After an interruption it returns true,
// and lab_is_interrupted is true.
HIDDEN int lab_wait(lab_place_t place, int64_t deadline);
// Ends what lab_enter began, and releases the lock. Returns whether the wait was interrupted: the caller then calls
// lab_answer, unless it has got what it waited for.
HIDDEN int lab_leave(lab_place_t place);
// After an interrupted wait: ends the thread if it is cancelled and the wait was a cancellation point; otherwise
// handles its signals.
HIDDEN lab_handled_t lab_answer(uint64_t site);
// Notes that the program had an interruptible wait. The lock that the runtime takes for it adds happens-before edges
// that POSIX does not promise and may hide races, so the absence of errors is not proved.
HIDDEN void lab_note_interruptible(void);
// lab_call adds a request to the thread. If it returns nonzero, the thread is in an interruptible wait, and the caller
// must then call lab_interrupt with the same request.
HIDDEN int lab_call(int thread, uint64_t request, uint64_t site);
HIDDEN void lab_interrupt(int thread, uint64_t request, uint64_t site);
// Wakes all threads that wait at the place. The caller holds its lock.
HIDDEN void lab_wake_all(lab_place_t place);
// Takes a lock by repeating `attempt`, a request to try it, with interruptible waits in between, during which the
// thread handles signals. Returns the answer of the attempt that succeeded, or 0 if the deadline has passed.
HIDDEN int64_t lab_lock_interruptibly(compiled_request_t attempt, int64_t deadline);
// To be called after a lock was released: wakes threads that wait for it in lab_lock_interruptibly.
HIDDEN void lab_wake_lockers(const volatile void *lock, uint64_t site);

// cancellation.c
// A cancellation point: ends the running thread (does not return) if it was cancelled.
HIDDEN void lab_test_cancellation(uint64_t site);
// Like lab_test_cancellation, but only if the cancellation type of the thread is asynchronous.
HIDDEN void lab_test_asynchronous(uint64_t site);
// Like lab_test_cancellation, for the beginning of a call that is a cancellation point. Does nothing outside an
// execution.
HIDDEN void lab_begin_point(uint64_t site);

// actions.c
// Signals are numbered from 1 to this, as in the kernel.
enum { MOST_SIGNALS = 64 };
// Stores the program's action for the signal in `action`. Returns 0, or -1 if the number is not valid.
HIDDEN int lab_signal_action(int number, struct sigaction *action);
// Sets the program's action for the signal.
HIDDEN void lab_set_action(int number, const struct sigaction *action);
// Sets the action to SIG_DFL, as SA_RESETHAND does when a handler is called.
HIDDEN void lab_reset_action(int number);

// signals.c
// Whether a write has failed because the other end is closed, and SIGPIPE has not been raised since. If so, the caller
// has to raise it: another call returns false.
HIDDEN int lab_was_pipe_broken(void);
// Lets the thread continue in the program's handler of this fault. If the handler returns, the request `fault` ends the
// execution. Returns false if the program has no handler that can be called.
HIDDEN int lab_enter_handler(int number, const siginfo_t *info, void *context, compiled_request_t fault);

// delivery.c
// Like kill and tgkill, with the site of the program's call.
HIDDEN int lab_kill(pid_t process, int number, uint64_t site);
HIDDEN int lab_tgkill(pid_t process, pid_t thread, int number, uint64_t site);
// Whether the running thread could get a signal: the program sends and handles signals, and the thread does not block
// all of them.
HIDDEN int lab_can_be_signalled(void);
// Handles the pending signals that the running thread does not block.
HIDDEN lab_handled_t lab_deliver_signals(uint64_t site);
// Sends a signal to the running thread.
HIDDEN void lab_signal_self(int number, uint64_t site);
// Drops the pending signals of this number, even blocked ones, if their action is to ignore them. The caller holds the
// lock of lab_lock_signals.
HIDDEN void lab_discard_signals(int number);
// These two functions take and release the lock of the runtime's signal state (actions, masks, pending signals). They
// do nothing while there is only one thread.
HIDDEN void lab_lock_signals(uint64_t site);
HIDDEN void lab_unlock_signals(uint64_t site);
// Gives a new thread the signal mask of the running one.
HIDDEN void lab_inherit_mask(int thread);
// To be called before and after the creation of a thread. In between, the lock of the signals is held, because whether
// a signal can go to the new thread depends on the order of sending and creation. is_locked: the result of the first
// call.
HIDDEN int lab_begin_making(uint64_t site);
HIDDEN void lab_end_making(int is_locked, uint64_t site);
// Like pthread_sigmask.
HIDDEN void lab_change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site);
// Sets the running thread's mask without handling signals that it unblocks. Returns the old mask, for
// lab_put_mask_back, which handles them.
HIDDEN uint64_t lab_swap_mask(const sigset_t *set, uint64_t site);
HIDDEN void lab_put_mask_back(uint64_t before, uint64_t site);
// The running thread's mask. Takes no step.
HIDDEN uint64_t lab_own_mask(void);

// timers.c
// Whether a timer is set, which would send a signal.
HIDDEN int lab_has_timers(void);
// Ends the execution with a failure if the program handles the signal of a timer that is set.
HIDDEN void lab_check_timers(uint64_t site);

// polls.c
// Wakes the threads that poll the channel, because it has changed. The caller holds the lock of the channel.
HIDDEN void lab_stir(int channel, uint64_t site);
