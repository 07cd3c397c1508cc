// Read-write locks, spin locks, barriers and one-time initialization. The engine knows neither barriers nor onces: a
// barrier is modeled by a mutex and a condition at its address, a once by a mutex beside it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <time.h>
#include <unwind.h>

// Takes a step on an object of the program.
static int64_t request(compiled_kind_t kind, const volatile void *object, uint32_t detail, int64_t deadline, uint64_t site) {
    return lab_use((compiled_request_t){.kind = kind, .detail = detail, .object = (uint64_t)object, .b = deadline, .site = site});
}

// Takes a step on the runtime's lock or condition at the address of `object`.
static int64_t inside(compiled_kind_t kind, const volatile void *object, uint64_t site) {
    return lab_inside(kind, (lab_place_t){.address = object, .site = site}, COMPILED_NEVER);
}

// MARK: - Read-write locks

// The kind of the lock, from the flags that glibc stores. Despite its name, PTHREAD_RWLOCK_PREFER_WRITER_NP does not
// prefer writers; only PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP does.
static uint32_t kind_of(const pthread_rwlock_t *lock) {
    int prefers_writers = lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    return prefers_writers ? compiled_of_writers_lock : compiled_of_shared_lock;
}

// Written to the flags of a destroyed lock: a value that they never have otherwise.
enum { destroyed_flags = ~0u };
// The first bytes of a lock, which any initialization writes.
enum { WRITTEN = 16 };

// The number of the thread that holds the lock to write, plus one, or 0, in the field in which glibc keeps the writer.
static int *writer(pthread_rwlock_t *lock) { return &lock->__data.__cur_writer; }

static int is_to_write(compiled_kind_t kind) { return kind >= compiled_write_lock && kind <= compiled_write_lock_until; }

// Returns 0 if the lock was taken, otherwise `failure`. If the wait can be interrupted by signals, the engine sees only
// attempts to lock, so it is checked here whether the thread would wait for its own write lock (EDEADLK).
static int take(compiled_kind_t kind, pthread_rwlock_t *lock, int64_t deadline, int failure, uint64_t site) {
    lab_check_use((uint64_t)lock, sizeof *lock, site);
    lab_note_object(lock, sizeof *lock, site);
    compiled_request_t request = {.kind = kind, .detail = kind_of(lock), .object = (uint64_t)lock, .b = deadline, .site = site};
    int me = lab_state->current + 1, waits = kind != compiled_try_read_lock && kind != compiled_try_write_lock;
    int64_t answer;
    if (waits && lab_can_be_signalled()) {
        if (*writer(lock) == me) return EDEADLK;
        request.kind = is_to_write(kind) ? compiled_try_write_lock : compiled_try_read_lock;
        answer = lab_lock_interruptibly(request, deadline);
    } else {
        answer = lab_use(request);
    }
    if (lock->__data.__flags == destroyed_flags) lab_refuse_unmade(lock, site);
    if (lab_is_unmade(lock, WRITTEN)) lab_refuse_unmade(lock, site);
    if (answer && is_to_write(kind)) *writer(lock) = me;
    return answer ? 0 : failure;
}

// Defines pthread_rwlock_NAME, by the request `kind`. failure: the error number if the lock is not taken.
#define RWLOCK(name, kind, failure) \
    EXPORTED int pthread_rwlock_##name(pthread_rwlock_t *lock) { \
        if (!is_controlled()) return REAL(pthread_rwlock_##name, int, pthread_rwlock_t *)(lock); \
        return take(kind, lock, COMPILED_NEVER, failure, SITE_OF_WAIT); \
    }
// Defines pthread_rwlock_timedNAME and pthread_rwlock_clockNAME.
#define TIMED_RWLOCK(name, kind) \
    EXPORTED int pthread_rwlock_timed##name(pthread_rwlock_t *lock, const struct timespec *limit) { \
        if (!is_controlled()) { \
            return REAL(pthread_rwlock_timed##name, int, pthread_rwlock_t *, const struct timespec *)(lock, limit); \
        } \
        if (!lab_is_limit(CLOCK_REALTIME, limit, SITE)) return EINVAL; \
        return take(kind, lock, lab_deadline_of(CLOCK_REALTIME, limit), ETIMEDOUT, SITE_OF_WAIT); \
    } \
    EXPORTED int pthread_rwlock_clock##name(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *limit) { \
        if (!is_controlled()) { \
            return REAL(pthread_rwlock_clock##name, int, pthread_rwlock_t *, clockid_t, const struct timespec *)(lock, clock, limit); \
        } \
        if (!lab_is_limit(clock, limit, SITE)) return EINVAL; \
        return take(kind, lock, lab_deadline_of(clock, limit), ETIMEDOUT, SITE_OF_WAIT); \
    }

RWLOCK(rdlock, compiled_read_lock, EDEADLK)
RWLOCK(wrlock, compiled_write_lock, EDEADLK)
RWLOCK(tryrdlock, compiled_try_read_lock, EBUSY)
RWLOCK(trywrlock, compiled_try_write_lock, EBUSY)
TIMED_RWLOCK(rdlock, compiled_read_lock_until)
TIMED_RWLOCK(wrlock, compiled_write_lock_until)

EXPORTED int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    if (!is_controlled()) return REAL(pthread_rwlock_unlock, int, pthread_rwlock_t *)(lock);
    lab_test_asynchronous(SITE);
    if (*writer(lock) == lab_state->current + 1) *writer(lock) = 0;
    request(compiled_unlock_shared, lock, kind_of(lock), 0, SITE);
    lab_wake_lockers(lock, SITE);
    return 0;
}

EXPORTED int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
    lab_destroy(lock, kind_of(lock), SITE);
    if (attributes) lab_note_access(attributes, sizeof *attributes, 0, SITE);
    int result = REAL(pthread_rwlock_init, int, pthread_rwlock_t *, const pthread_rwlockattr_t *)(lock, attributes);
    lab_renew(lock, kind_of(lock), 0, SITE);
    return result;
}

EXPORTED int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    if (!is_controlled()) return REAL(pthread_rwlock_destroy, int, pthread_rwlock_t *)(lock);
    lab_destroy(lock, kind_of(lock), SITE);
    lock->__data.__flags = destroyed_flags;
    return 0;
}

// MARK: - Spin locks, which are plain mutexes to the engine: how a thread waits makes no difference

// Written to a destroyed spin lock: a value that the C library never stores.
enum { destroyed_spin_lock = 0x80000000 };

static void check_spin_lock(const pthread_spinlock_t *lock, uint64_t site) {
    if (*lock == (int)destroyed_spin_lock) lab_refuse_unmade(lock, site);
    if (lab_is_unmade(lock, sizeof *lock)) lab_refuse_unmade(lock, site);
}

EXPORTED int pthread_spin_lock(pthread_spinlock_t *lock) {
    if (!is_controlled()) return REAL(pthread_spin_lock, int, pthread_spinlock_t *)(lock);
    lab_note_object(lock, sizeof *lock, SITE);
    compiled_request_t attempt = {.kind = compiled_try_lock, .object = (uint64_t)lock, .site = SITE};
    if (lab_can_be_signalled()) lab_lock_interruptibly(attempt, COMPILED_NEVER);
    else request(compiled_lock, lock, 0, COMPILED_NEVER, SITE_OF_WAIT);
    check_spin_lock(lock, SITE);
    return 0;
}

EXPORTED int pthread_spin_trylock(pthread_spinlock_t *lock) {
    if (!is_controlled()) return REAL(pthread_spin_trylock, int, pthread_spinlock_t *)(lock);
    lab_note_object(lock, sizeof *lock, SITE);
    int64_t is_taken = request(compiled_try_lock, lock, 0, 0, SITE);
    check_spin_lock(lock, SITE);
    return is_taken ? 0 : EBUSY;
}

EXPORTED int pthread_spin_unlock(pthread_spinlock_t *lock) {
    if (!is_controlled()) return REAL(pthread_spin_unlock, int, pthread_spinlock_t *)(lock);
    lab_test_asynchronous(SITE);
    request(compiled_unlock, lock, 0, 0, SITE);
    lab_wake_lockers(lock, SITE);
    return 0;
}

EXPORTED int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    lab_destroy(lock, compiled_normal_mutex, SITE);
    lab_renew(lock, compiled_normal_mutex, 0, SITE);
    return REAL(pthread_spin_init, int, pthread_spinlock_t *, int)(lock, shared);
}

EXPORTED int pthread_spin_destroy(pthread_spinlock_t *lock) {
    if (!is_controlled()) return REAL(pthread_spin_destroy, int, pthread_spinlock_t *)(lock);
    lab_destroy(lock, compiled_normal_mutex, SITE);
    *lock = (int)destroyed_spin_lock;
    return 0;
}

// MARK: - Barriers

// Lies over a pthread_barrier_t. The first five fields are glibc's (in, current_round, count, shared, out), under the
// runtime's names. `is_awaited` is the runtime's own: glibc does not use its place, and so does not set it.
typedef struct {
    unsigned arrived, round, count;
    int is_shared;
    // The threads that have been woken and still have to leave; and whether another one waits for that.
    unsigned leaving, is_awaited;
} barrier_t;

EXPORTED int pthread_barrier_wait(pthread_barrier_t *memory) {
    if (!is_controlled()) return REAL(pthread_barrier_wait, int, pthread_barrier_t *)(memory);
    uint64_t site = SITE;
    barrier_t *barrier = (barrier_t *)memory;
    lab_place_t place = {.address = barrier, .site = site};
    lab_enter_lock(place);
    if (barrier->count == 0) lab_refuse_unmade(barrier, site);
    place.parties = barrier->count;
    unsigned round = barrier->round;
    int is_last = ++barrier->arrived == barrier->count;
    if (is_last) {
        barrier->arrived = 0;
        barrier->round++;
        barrier->leaving += barrier->count - 1;
        inside(compiled_broadcast, barrier, site);
    }
    while (barrier->round == round) {
        if (!lab_is_interrupted()) {
            lab_wait(place, COMPILED_NEVER);
            continue;
        }
        lab_leave(place);
        lab_answer(site);
        lab_enter_lock(place);
    }
    if (!is_last && --barrier->leaving == 0 && barrier->is_awaited) inside(compiled_broadcast, barrier, site);
    lab_leave(place);
    return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// Called before a barrier is initialized or destroyed: locks and unlocks the barrier's lock. If the barrier is a valid
// one (`is_made`), also waits until all threads that were woken have left pthread_barrier_wait, because POSIX allows a
// thread that has returned from there to destroy it at once.
static void pass(pthread_barrier_t *memory, int is_made, uint64_t site) {
    if (lab_state->unjoined < 2) return;
    barrier_t *barrier = (barrier_t *)memory;
    inside(compiled_lock, barrier, site);
    while (is_made && barrier->leaving) {
        barrier->is_awaited = 1;
        inside(compiled_wait, barrier, site);
    }
    inside(compiled_unlock, barrier, site);
}

EXPORTED int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
    if (is_controlled()) pass(barrier, 0, SITE);
    lab_renew(barrier, compiled_part, 0, SITE);
    int failure = REAL(pthread_barrier_init, int, pthread_barrier_t *, const pthread_barrierattr_t *, unsigned)(barrier, attributes, count);
    if (!failure) ((barrier_t *)barrier)->is_awaited = 0;
    return failure;
}

EXPORTED int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    if (!is_controlled()) return REAL(pthread_barrier_destroy, int, pthread_barrier_t *)(barrier);
    pass(barrier, 1, SITE);
    ((barrier_t *)barrier)->count = 0;
    return 0;
}

// MARK: - Once

// The lock of a once or of a C++ guard has an address of its own beside it (`lab_beside`). At the address of the word
// itself, the write that marks it as done would count as a use of the lock while that is held. The initializer is code
// of the program and may be interrupted by signal handlers, so this lock does not count in `held`.
static void lock_initialization(const void *word, uint64_t site) {
    const volatile void *once = lab_beside(word);
    compiled_request_t attempt = {.kind = compiled_try_lock, .detail = compiled_part, .object = (uint64_t)once, .site = site};
    if (lab_can_be_signalled()) {
        lab_lock_interruptibly(attempt, COMPILED_NEVER);
        return;
    }
    inside(compiled_lock, once, site);
    lab_state->fibers[lab_state->current].held--;
}

static void unlock_initialization(const void *word, uint64_t site) {
    const volatile void *once = lab_beside(word);
    lab_state->fibers[lab_state->current].held++;
    inside(compiled_unlock, once, site);
    lab_wake_lockers(once, site);
}

// The C library's mark of an initialization that is over.
enum { once_is_done = 2 };

// The personality routine of lab_call_once. If the initializer throws (or the thread is cancelled in it), it releases
// the lock and leaves the once unmarked, so that the next call initializes again.
__attribute__((used, visibility("hidden"))) _Unwind_Reason_Code lab_undo_once(
    int version, _Unwind_Action actions, uint64_t class, struct _Unwind_Exception *exception, struct _Unwind_Context *context) {
    enum { rbx = 3 };
    (void)version, (void)class, (void)exception;
    if (actions & _UA_CLEANUP_PHASE) unlock_initialization((void *)_Unwind_GetGR(context, rbx), SITE);
    return _URC_CONTINUE_UNWIND;
}

// Calls the initializer with `once` in rbx, a register that the call preserves, so that lab_undo_once can read it while
// unwinding. (0x1b: the address that follows is stored as a distance of 4 bytes.)
void lab_call_once(void (*initialize)(void), pthread_once_t *once);
__asm__(".pushsection .text\n.hidden lab_call_once\n.globl lab_call_once\n.type lab_call_once, @function\nlab_call_once:\n"
        ".cfi_startproc\n.cfi_personality 0x1b, lab_undo_once\n.cfi_lsda 0x1b, lab_call_once\n"
        "pushq %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbx, -16\nmovq %rsi, %rbx\ncall *%rdi\n"
        "popq %rbx\n.cfi_adjust_cfa_offset -8\n.cfi_restore %rbx\nret\n"
        ".cfi_endproc\n.size lab_call_once, . - lab_call_once\n.popsection\n");

EXPORTED int pthread_once(pthread_once_t *once, void (*initialize)(void)) {
    if (!is_controlled()) return REAL(pthread_once, int, pthread_once_t *, void (*)(void))(once, initialize);
    uint64_t site = SITE;
    // As in the C library, a thread that finds the initialization done only makes an acquire load. If it took the lock,
    // such threads would be ordered with each other, which would hide races.
    lab_atomic_step(compiled_load, sizeof *once, once, 0, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE, site);
    if (*once == once_is_done) return 0;
    lock_initialization(once, site);
    if (*once != once_is_done) {
        lab_call_once(initialize, once);
        lab_atomic_step(compiled_store, sizeof *once, once, once_is_done, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED, site);
        *once = once_is_done;
    }
    unlock_initialization(once, site);
    return 0;
}

// As pthread_once, for function-local static variables of C++: the first byte of the guard is nonzero when the variable
// is initialized. Returns 1 if the caller has to initialize it.
EXPORTED int __cxa_guard_acquire(uint64_t *guard) {
    if (!is_controlled()) return REAL(__cxa_guard_acquire, int, uint64_t *)(guard);
    uint64_t site = SITE;
    lab_check_use((uint64_t)guard, 1, site);
    lock_initialization(guard, site);
    if (!*(char *)guard) return 1;
    unlock_initialization(guard, site);
    return 0;
}

EXPORTED void __cxa_guard_release(uint64_t *guard) {
    if (!is_controlled()) {
        REAL(__cxa_guard_release, void, uint64_t *)(guard);
        return;
    }
    // Code that finds the variable initialized reads this byte atomically and takes no lock, so this is an atomic
    // store.
    if (lab_state->unjoined > 1) {
        lab_ask((compiled_request_t){
            .kind = compiled_store, .size = 1, .object = (uint64_t)guard, .a = 1, .order = __ATOMIC_RELEASE, .site = SITE});
    }
    *(char *)guard = 1;
    unlock_initialization(guard, SITE);
}

EXPORTED void __cxa_guard_abort(uint64_t *guard) {
    if (is_controlled()) unlock_initialization(guard, SITE);
    else REAL(__cxa_guard_abort, void, uint64_t *)(guard);
}

#endif
