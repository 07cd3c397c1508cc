// POSIX threads: creation, joining and ending, and thread-specific data.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

typedef void *(*body_t)(void *);

// By thread: what is needed to wait for its end interruptibly (wait_for_end).
typedef struct {
    // Whether the thread has left its function; and how many threads wait for that.
    uint64_t has_left;
    int waiters;
} end_t;
LAB_EACH_THREAD(end_t, ends);

static void run_thread(void) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    // The engine's own calls may have set errno, and the program must not find that.
    errno = 0;
    void *argument = fiber->argument;
    fiber->argument = NULL;
    void *result = fiber->body(argument);
    // A thread that takes no steps would handle no signals otherwise.
    lab_look_first((uint64_t)fiber->body);
    lab_end_thread(result);
}

// Starts a thread. writes_first: whether the handle is written before the thread begins.
static void start(pthread_t *handle, int is_detached, int wants_more_stack, int writes_first, body_t body, void *argument, uint64_t site) {
    static const char too_many[] = "starts a thread more than the 256 of an execution, those that have ended included: threadlab follows no more";
    if (lab_state->thread_count == MOST_THREADS) lab_end_at_limit(too_many, site);
    if (writes_first) lab_note_access(handle, sizeof *handle, 1, site);
    int is_locked = lab_begin_making(site);
    // The number that the engine gives to the new thread. The new thread does not run before this one makes its next
    // request.
    int number = (int)lab_ask((compiled_request_t){.kind = compiled_spawn, .a = is_detached, .object = (uint64_t)body, .mutex = (uint64_t)argument, .site = site});
    if (number < 0) lab_end_at_limit(too_many, site);
    lab_state->thread_count = number + 1;
    lab_inherit_mask(number);
    lab_state->unjoined++;
    lab_state->unended++;
    lab_begin_fiber(number, run_thread, body, argument);
    lab_note_start(number);
    lab_state->fibers[number].is_detached = is_detached;
    lab_state->fibers[number].wants_more_stack = wants_more_stack;
    pthread_t made = (pthread_t)lab_state->fibers[number].storage;
    if (writes_first) *handle = made;
    lab_end_making(is_locked, site);
    if (writes_first) return;
    lab_note_access(handle, sizeof *handle, 1, site);
    *handle = made;
}

EXPORTED int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, body_t body, void *argument) {
    if (!is_controlled()) {
        lab_begin_again_for_threads();
        return REAL(pthread_create, int, pthread_t *, const pthread_attr_t *, body_t, void *)(handle, attributes, body, argument);
    }
    if (attributes) lab_note_access(attributes, sizeof *attributes, 0, SITE);
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes) pthread_attr_getdetachstate(attributes, &detached);
    size_t stack = 0;
    if (attributes) pthread_attr_getstacksize(attributes, &stack);
    start(handle, detached == PTHREAD_CREATE_DETACHED, stack > STACK, 0, body, argument, SITE);
    return 0;
}

// In C11, the completion of the call happens before the beginning of the new thread, which can therefore read the
// handle.
EXPORTED int thrd_create(thrd_t *handle, thrd_start_t body, void *argument) {
    if (!is_controlled()) {
        lab_begin_again_for_threads();
        return REAL(thrd_create, int, thrd_t *, thrd_start_t, void *)(handle, body, argument);
    }
    start((pthread_t *)handle, 0, 0, 1, (body_t)(void *)body, argument, SITE);
    return thrd_success;
}

// The keys of thread-specific data. fiber_t has their values.
typedef struct {
    // All keys in use have numbers below this one.
    int count;
    void (*destructors[MOST_KEYS])(void *);
    uint8_t are_used[MOST_KEYS];
} keys_t;
LAB_KEPT(keys_t, keys);

// Calls the destructors of the ending thread's values. A destructor may set values again, so there are several rounds.
static void run_destructors(void) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        int is_done = 1;
        for (int key = 0; key < keys->count; key++) {
            void *value = fiber->values[key];
            if (!value || !keys->are_used[key] || !keys->destructors[key]) continue;
            fiber->values[key] = NULL;
            is_done = 0;
            keys->destructors[key](value);
        }
        if (is_done) return;
    }
}
// After the destructors of thread-local variables (LAB_FIRST).
LAB_PHASE(lab_at_thread_end, LAB_FIRST + 1, run_destructors);

// The place at which threads wait interruptibly for the end of this thread.
static lab_place_t end_of(int thread, uint64_t site) {
    return (lab_place_t){.address = &ends[thread].waiters, .site = site, .text = "end of", .thread = thread};
}

// Takes a step on the word that says whether the thread has ended. What the caller does with `ends` directly after that
// is a part of the step.
static void access_end(int thread, compiled_kind_t kind, uint64_t site) {
    uint64_t *word = &ends[thread].has_left;
    lab_note_atomic(word, sizeof *word, kind == compiled_store);
    lab_ask((compiled_request_t){
        .kind = kind, .size = sizeof *word, .object = (uint64_t)word, .a = 1, .order = __ATOMIC_SEQ_CST,
        .failure_order = __ATOMIC_SEQ_CST, .site = site, .text = "end of", .line = (uint32_t)thread});
}

// Wakes the threads that wait in wait_for_end for the running one.
static void wake_waiters(void) {
    const fiber_t *fiber = &lab_state->fibers[lab_state->current];
    if ((!lab_state->cancels && !lab_state->handles_signals) || fiber->is_detached) return;
    access_end(lab_state->current, compiled_store, 0);
    end_t *end = &ends[lab_state->current];
    end->has_left = 1;
    if (!end->waiters) return;
    lab_place_t place = end_of(lab_state->current, 0);
    lab_inside(compiled_lock, place, COMPILED_NEVER);
    lab_wake_all(place);
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
}
LAB_PHASE(lab_at_thread_end, LAB_LATE, wake_waiters);

// Waits interruptibly until the thread has left its function. Returns 0 if the deadline passes before.
static int wait_for_end(int thread, int64_t deadline, uint64_t site) {
    lab_place_t place = end_of(thread, site);
    end_t *end = &ends[thread];
again:
    lab_enter(place);
    int has_left = 0, is_late = 0;
    for (int waits = 0;; is_late = !lab_wait(place, deadline)) {
        access_end(thread, compiled_load, site);
        has_left = end->has_left != 0;
        int is_over = has_left || is_late || lab_is_interrupted();
        end->waiters += !is_over - waits;
        waits = !is_over;
        if (is_over) break;
    }
    int is_interrupted = lab_leave(place);
    if (has_left || is_late || !is_interrupted) return has_left;
    lab_answer(site);
    goto again;
}

// The last thread to end also ends the process, as in POSIX. Which thread is the last is not decided by a step, so
// orders with another last thread may not be tried. Handlers of exit could notice which thread calls them: if there are
// any, nothing is proved.
static void end_last_thread(void) {
    if (--lab_state->unended > 0) return;
    if (lab_has_exit_handlers()) lab_note_call("exit (by the last thread)");
    lab_state->unjoined = 1;
    lab_finish(0, 0);
}
LAB_PHASE(lab_at_thread_end, LAB_LAST, end_last_thread);

// kind: the request by which the engine joins the thread.
static int join(compiled_kind_t kind, pthread_t handle, void **result, int64_t deadline, uint64_t site) {
    int thread = lab_thread_of(handle);
    if (thread < 0) return ESRCH;
    // To join itself or a detached thread is an error. The engine reports it, so the thread must not wait here.
    int is_waited_for = thread != lab_state->current && !lab_state->fibers[thread].is_detached;
    if (kind != compiled_try_join && is_waited_for && lab_can_be_interrupted()) {
        if (!wait_for_end(thread, deadline, site)) return ETIMEDOUT;
    }
    int64_t answer = lab_ask((compiled_request_t){.kind = kind, .a = thread, .b = deadline, .site = site});
    int is_joined = answer == 1;
    if (!is_joined) return kind == compiled_try_join ? EBUSY : ETIMEDOUT;
    lab_state->unjoined--;
    lab_state->fibers[thread].is_joined = 1;
    lab_note_join(thread);
    if (!result) return 0;
    lab_note_access(result, sizeof *result, 1, site);
    *result = lab_state->fibers[thread].result;
    return 0;
}

int lab_join(pthread_t handle, void **result, uint64_t site) { return join(compiled_join, handle, result, COMPILED_NEVER, site); }

EXPORTED int pthread_join(pthread_t handle, void **result) {
    if (is_controlled()) return join(compiled_join, handle, result, COMPILED_NEVER, SITE_OF_WAIT);
    return REAL(pthread_join, int, pthread_t, void **)(handle, result);
}

EXPORTED int pthread_tryjoin_np(pthread_t handle, void **result) {
    if (is_controlled()) return join(compiled_try_join, handle, result, 0, SITE);
    return REAL(pthread_tryjoin_np, int, pthread_t, void **)(handle, result);
}

EXPORTED int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *limit) {
    if (!is_controlled()) return REAL(pthread_timedjoin_np, int, pthread_t, void **, const struct timespec *)(handle, result, limit);
    if (!limit) return join(compiled_join, handle, result, COMPILED_NEVER, SITE_OF_WAIT);
    if (!lab_is_limit(CLOCK_REALTIME, limit, SITE)) return EINVAL;
    return join(compiled_join_until, handle, result, lab_deadline_of(CLOCK_REALTIME, limit), SITE_OF_WAIT);
}

EXPORTED int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock, const struct timespec *limit) {
    if (!is_controlled()) {
        return REAL(pthread_clockjoin_np, int, pthread_t, void **, clockid_t, const struct timespec *)(handle, result, clock, limit);
    }
    if (!limit) return join(compiled_join, handle, result, COMPILED_NEVER, SITE_OF_WAIT);
    if (!lab_is_limit(clock, limit, SITE)) return EINVAL;
    return join(compiled_join_until, handle, result, lab_deadline_of(clock, limit), SITE_OF_WAIT);
}

// To the program, the main thread is the one that has run the constructors.
EXPORTED pthread_t pthread_self(void) {
    if (!is_controlled()) return REAL(pthread_self, pthread_t, void)();
    const fiber_t *fiber = &lab_state->fibers[lab_state->current];
    return (pthread_t)(lab_state->current == 0 ? lab_state->host_storage : fiber->storage);
}

EXPORTED pthread_t thrd_current(void) { return pthread_self(); }

// The same number is in the thread's descriptor, from which the C library reads it.
EXPORTED pid_t gettid(void) {
    if (!is_controlled()) return REAL(gettid, pid_t, void)();
    lab_note_call("gettid");
    return getpid() + lab_state->current;
}

EXPORTED int pthread_detach(pthread_t handle) {
    if (!is_controlled()) return REAL(pthread_detach, int, pthread_t)(handle);
    int thread = lab_thread_of(handle);
    if (thread < 0) return ESRCH;
    lab_ask((compiled_request_t){.kind = compiled_detach, .a = thread, .site = SITE});
    lab_state->fibers[thread].is_detached = 1;
    return 0;
}

EXPORTED int sched_yield(void) {
    if (!lab_runs_program()) return REAL(sched_yield, int, void)();
    if (!lab_is_in_rounds() && !lab_spins_shortly()) lab_ask((compiled_request_t){.kind = compiled_yield, .site = SITE_OF_WAIT});
    return 0;
}

// MARK: - Thread-specific data

// Like keys_t, for the keys that constructors create before main, with their values in the main thread. Each execution
// begins with them.
static struct {
    int count;
    void (*destructors[MOST_KEYS])(void *);
    uint8_t are_used[MOST_KEYS];
    void *values[MOST_KEYS];
} early;

static int is_early(void) { return !lab_state && lab_is_hosted(); }

static void begin_keys(void) {
    if (lab_state->most_keys < early.count) lab_state->most_keys = early.count;
    size_t most = (size_t)lab_state->most_keys;
    keys->count = early.count;
    memcpy(keys->destructors, early.destructors, most * sizeof *early.destructors);
    memcpy(keys->are_used, early.are_used, most * sizeof *early.are_used);
    memcpy(lab_state->fibers[0].values, early.values, most * sizeof *early.values);
}
// After lab_begin_fiber, which clears the values of the main thread.
LAB_PHASE(lab_before_execution, LAB_LAST, begin_keys);

// Creating a key is a step, because keys are numbered in the order in which they are created.
static void count_keys(uint64_t site) {
    static uint32_t count;
    lab_atomic_step(compiled_add, sizeof count, &count, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, site);
    count++;
}

int lab_create_key(pthread_key_t *key, void (*destructor)(void *), uint64_t site) {
    if (!is_controlled() && !is_early()) return REAL(pthread_key_create, int, pthread_key_t *, void (*)(void *))(key, destructor);
    if (is_controlled()) count_keys(site);
    lab_note_access(key, sizeof *key, 1, site);
    uint8_t *are_used = lab_state ? keys->are_used : early.are_used;
    int number = 0;
    while (number < MOST_KEYS && are_used[number]) number++;
    if (number == MOST_KEYS) return EAGAIN;
    int *count = lab_state ? &keys->count : &early.count;
    if (number == *count) (*count)++;
    if (lab_state && lab_state->most_keys < *count) lab_state->most_keys = *count;
    (lab_state ? keys->destructors : early.destructors)[number] = destructor;
    are_used[number] = 1;
    *key = FIRST_KEY + (pthread_key_t)number;
    return 0;
}

EXPORTED int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) { return lab_create_key(key, destructor, SITE); }

// Whether the key is one of the runtime's. Other keys are the C library's.
static int is_own_key(pthread_key_t key) { return key >= FIRST_KEY && (is_controlled() || is_early()); }

// Where the running thread's value of this key is. Null: the key is not in use.
static void **value_of(pthread_key_t key) {
    pthread_key_t number = key - FIRST_KEY;
    if (number >= MOST_KEYS || !(lab_state ? keys->are_used : early.are_used)[number]) return NULL;
    return lab_state ? &lab_state->fibers[lab_state->current].values[number] : &early.values[number];
}

EXPORTED int pthread_key_delete(pthread_key_t key) {
    if (!is_own_key(key)) return REAL(pthread_key_delete, int, pthread_key_t)(key);
    // No step decides from when on other threads find the key deleted.
    if (is_controlled() && lab_state->unjoined > 1) lab_note_call("pthread_key_delete");
    if (!value_of(key)) return EINVAL;
    pthread_key_t number = key - FIRST_KEY;
    (lab_state ? keys->are_used : early.are_used)[number] = 0;
    // The next key with this number begins without values.
    early.values[number] = NULL;
    for (int thread = 0; lab_state && thread < lab_state->thread_count; thread++) lab_state->fibers[thread].values[number] = NULL;
    return 0;
}

EXPORTED void *pthread_getspecific(pthread_key_t key) {
    if (!is_own_key(key)) return REAL(pthread_getspecific, void *, pthread_key_t)(key);
    void **value = value_of(key);
    return value ? *value : NULL;
}

EXPORTED int pthread_setspecific(pthread_key_t key, const void *new_value) {
    if (!is_own_key(key)) return REAL(pthread_setspecific, int, pthread_key_t, const void *)(key, new_value);
    void **value = value_of(key);
    if (!value) return EINVAL;
    *value = (void *)new_value;
    return 0;
}

#endif
