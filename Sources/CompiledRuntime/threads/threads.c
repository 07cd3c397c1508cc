// POSIX threads: creation, joining, ending, and what a thread keeps for itself.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

typedef void *(*body_t)(void *);

// tells_first: whether the handle is written before the thread begins.
static void start(pthread_t *handle, int is_detached, int wants_more_stack, int tells_first, body_t body, void *argument, uint64_t site) {
    static const char too_many[] = "starts a thread more than the 256 of an execution, those that have ended included: threadlab follows no more";
    if (lab_state->thread_count == MOST_THREADS) lab_end_at_limit(too_many, site);
    if (tells_first) lab_note_access(handle, sizeof *handle, 1, site);
    int is_locked = lab_begin_making(site);
    // The number that the engine gives the thread. Until this thread asks for something else, the new one does not run.
    int number = (int)lab_ask((compiled_request_t){.kind = compiled_spawn, .a = is_detached, .object = (uint64_t)body, .mutex = (uint64_t)argument, .site = site});
    if (number < 0) lab_end_at_limit(too_many, site);
    lab_state->thread_count = number + 1;
    lab_inherit_mask(number);
    lab_state->unjoined++;
    lab_state->unended++;
    lab_begin_fiber(number, body, argument);
    lab_note_start(number);
    lab_state->fibers[number].is_detached = is_detached;
    lab_state->fibers[number].wants_more_stack = wants_more_stack;
    pthread_t made = (pthread_t)lab_state->fibers[number].storage;
    if (tells_first) *handle = made;
    lab_end_making(is_locked, site);
    if (tells_first) return;
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

// In C, the end of the call comes before the thread's beginning.
EXPORTED int thrd_create(thrd_t *handle, thrd_start_t body, void *argument) {
    if (!is_controlled()) {
        lab_begin_again_for_threads();
        return REAL(thrd_create, int, thrd_t *, thrd_start_t, void *)(handle, body, argument);
    }
    start((pthread_t *)handle, 0, 0, 1, (body_t)(void *)body, argument, SITE);
    return thrd_success;
}

int lab_is_out_of_stack(const void *address) {
    const fiber_t *fiber = &lab_state->fibers[lab_state->current];
    return fiber->wants_more_stack && (uint64_t)address - (uint64_t)fiber->stack < PAGE;
}

static void run_destructors(fiber_t *fiber) {
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        int is_done = 1;
        for (int key = 0; key < lab_state->key_count; key++) {
            void *value = fiber->values[key];
            if (!value || !lab_state->keys_in_use[key] || !lab_state->destructors[key]) continue;
            fiber->values[key] = NULL;
            is_done = 0;
            lab_state->destructors[key](value);
        }
        if (is_done) return;
    }
}

void lab_destroy_variables(void) {
    if (lab_state->destroy_variables) lab_state->destroy_variables();
}

// A thread that can be cancelled waits for the end of another at a place of that one.
static lab_place_t end_of(int thread, uint64_t site) {
    return (lab_place_t){.address = &lab_state->fibers[thread].end_waiters, .site = site, .text = "end of", .thread = thread};
}

// A step, after which it is known at once which threads wait.
static void access_end(int thread, compiled_kind_t kind, uint64_t site) {
    uint64_t *word = &lab_state->fibers[thread].has_left;
    lab_note_atomic(word, sizeof *word, kind == compiled_store);
    lab_ask((compiled_request_t){
        .kind = kind, .size = sizeof *word, .object = (uint64_t)word, .a = 1, .order = __ATOMIC_SEQ_CST,
        .failure_order = __ATOMIC_SEQ_CST, .site = site, .text = "end of", .line = (uint32_t)thread});
}

static void tell_waiters(fiber_t *fiber) {
    if ((!lab_state->cancels && !lab_state->sends) || fiber->is_detached) return;
    access_end(lab_state->current, compiled_store, 0);
    fiber->has_left = 1;
    if (!fiber->end_waiters) return;
    lab_place_t place = end_of(lab_state->current, 0);
    lab_inside(compiled_lock, place, COMPILED_NEVER);
    lab_wake_all(place);
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
}

// Returns when the thread has left its body, or, with 0, the time is over.
static int wait_for_end(int thread, int64_t deadline, uint64_t site) {
    lab_place_t place = end_of(thread, site);
    fiber_t *target = &lab_state->fibers[thread];
again:
    lab_enter(place);
    int has_left = 0, is_late = 0;
    for (int waits = 0;; is_late = !lab_wait(place, deadline)) {
        access_end(thread, compiled_load, site);
        has_left = target->has_left != 0;
        int is_over = has_left || is_late || lab_is_interrupted();
        target->end_waiters += !is_over - waits;
        waits = !is_over;
        if (is_over) break;
    }
    int is_interrupted = lab_leave(place);
    if (has_left || is_late || !is_interrupted) return has_left;
    lab_answer(site);
    goto again;
}

void lab_end_thread(void *result) {
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    // It cannot be cancelled any more.
    fiber->cancellation.is_disabled = 1;
    fiber->cancellation.is_asynchronous = 0;
    // Like keys, after the handlers.
    lab_destroy_variables();
    run_destructors(fiber);
    fiber->result = result;
    fiber->condition = NULL;
    lab_leave_signals(0);
    lab_abandon_mutexes();
    lab_end_stack();
    tell_waiters(fiber);
    // The last one ends the process. Which one that is depends on no step, so it takes none for it: nothing can come between. Handlers could see
    // which one it is.
    if (--lab_state->unended == 0) {
        if (lab_has_exit_handlers()) lab_note_call("exit (by the last thread)");
        lab_state->unjoined = 1;
        lab_finish(0, 0);
    }
    lab_ask((compiled_request_t){.kind = compiled_ended, .a = (int64_t)result});
    abort();
}

static int join(compiled_kind_t kind, pthread_t handle, void **result, int64_t deadline, uint64_t site) {
    int thread = lab_thread_of(handle);
    if (thread < 0) return ESRCH;
    // What is wrong to join is that, and not waited for.
    int is_waited_for = thread != lab_state->current && !lab_state->fibers[thread].is_detached;
    if (kind != compiled_try_join && is_waited_for && lab_can_be_interrupted()) {
        if (!wait_for_end(thread, deadline, site)) return ETIMEDOUT;
    }
    int64_t answer = lab_ask((compiled_request_t){.kind = kind, .a = thread, .b = deadline, .site = site});
    if (answer != 1) return kind == compiled_try_join ? EBUSY : ETIMEDOUT;
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

// The main thread is the one that has run constructors.
EXPORTED pthread_t pthread_self(void) {
    if (!is_controlled()) return REAL(pthread_self, pthread_t, void)();
    const fiber_t *fiber = &lab_state->fibers[lab_state->current];
    return (pthread_t)(lab_state->current == 0 ? lab_state->host_storage : fiber->storage);
}

EXPORTED pthread_t thrd_current(void) { return pthread_self(); }

// The number that is in the thread's descriptor, too.
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
    if (!lab_is_in_rounds()) lab_ask((compiled_request_t){.kind = compiled_yield, .site = SITE_OF_WAIT});
    return 0;
}

// MARK: - Values of a thread

// Those that constructors make before main, and what they keep there. In memory that is put back.
static struct {
    int count;
    void (*destructors[MOST_KEYS])(void *);
    uint8_t in_use[MOST_KEYS];
    void *values[MOST_KEYS];
} early;

static int is_early(void) { return !lab_state && lab_is_hosted(); }

void lab_begin_keys(void) {
    if (lab_state->most_keys < early.count) lab_state->most_keys = early.count;
    size_t most = (size_t)lab_state->most_keys;
    lab_state->key_count = early.count;
    memcpy(lab_state->destructors, early.destructors, most * sizeof *early.destructors);
    memcpy(lab_state->keys_in_use, early.in_use, most * sizeof *early.in_use);
    memcpy(lab_state->fibers[0].values, early.values, most * sizeof *early.values);
}

// A step: keys have their numbers in the order in which they are made.
static void count_keys(uint64_t site) {
    static uint32_t keys;
    lab_atomic_step(compiled_add, sizeof keys, &keys, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, site);
    keys++;
}

EXPORTED int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    if (!is_controlled() && !is_early()) return REAL(pthread_key_create, int, pthread_key_t *, void (*)(void *))(key, destructor);
    if (is_controlled()) count_keys(SITE);
    lab_note_access(key, sizeof *key, 1, SITE);
    uint8_t *in_use = lab_state ? lab_state->keys_in_use : early.in_use;
    int number = 0;
    while (number < MOST_KEYS && in_use[number]) number++;
    if (number == MOST_KEYS) return EAGAIN;
    int *count = lab_state ? &lab_state->key_count : &early.count;
    if (number == *count) (*count)++;
    if (lab_state && lab_state->most_keys < *count) lab_state->most_keys = *count;
    (lab_state ? lab_state->destructors : early.destructors)[number] = destructor;
    in_use[number] = 1;
    *key = FIRST_KEY + (pthread_key_t)number;
    return 0;
}

// Whether it is one of these: others are the C library's.
static int is_own_key(pthread_key_t key) { return key >= FIRST_KEY && (is_controlled() || is_early()); }

// Null: no such key is in use.
static void **value_of(pthread_key_t key) {
    pthread_key_t number = key - FIRST_KEY;
    if (number >= MOST_KEYS || !(lab_state ? lab_state->keys_in_use : early.in_use)[number]) return NULL;
    return lab_state ? &lab_state->fibers[lab_state->current].values[number] : &early.values[number];
}

EXPORTED int pthread_key_delete(pthread_key_t key) {
    if (!is_own_key(key)) return REAL(pthread_key_delete, int, pthread_key_t)(key);
    // When a key is gone no step decides.
    if (is_controlled() && lab_state->unjoined > 1) lab_note_call("pthread_key_delete");
    if (!value_of(key)) return EINVAL;
    pthread_key_t number = key - FIRST_KEY;
    (lab_state ? lab_state->keys_in_use : early.in_use)[number] = 0;
    // The next key of this number begins without values.
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
