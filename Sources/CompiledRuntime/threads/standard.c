// The threads of C11 (<threads.h>), which in glibc are those of POSIX under other names.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <threads.h>

// Translates an error number of POSIX into a result of C11.
static int result_of(int failure) {
    switch (failure) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
    }
}

static pthread_mutex_t *mutex_of(mtx_t *mutex) { return (pthread_mutex_t *)mutex; }
static pthread_cond_t *condition_of(cnd_t *condition) { return (pthread_cond_t *)condition; }

EXPORTED int mtx_init(mtx_t *mutex, int kind) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (kind & mtx_recursive) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    int failure = pthread_mutex_init(mutex_of(mutex), &attributes);
    pthread_mutexattr_destroy(&attributes);
    return result_of(failure);
}
EXPORTED void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy(mutex_of(mutex)); }
EXPORTED int cnd_init(cnd_t *condition) { return result_of(pthread_cond_init(condition_of(condition), NULL)); }
EXPORTED void cnd_destroy(cnd_t *condition) { pthread_cond_destroy(condition_of(condition)); }

EXPORTED int mtx_lock(mtx_t *mutex) { return result_of(pthread_mutex_lock(mutex_of(mutex))); }
EXPORTED int mtx_trylock(mtx_t *mutex) { return result_of(pthread_mutex_trylock(mutex_of(mutex))); }
// The access to the limit is noted here, because pthread_mutex_timedlock notes none if the runtime's code calls it.
EXPORTED int mtx_timedlock(mtx_t *mutex, const struct timespec *limit) {
    lab_note_access(limit, sizeof *limit, 0, SITE);
    return result_of(pthread_mutex_timedlock(mutex_of(mutex), limit));
}
EXPORTED int mtx_unlock(mtx_t *mutex) { return result_of(pthread_mutex_unlock(mutex_of(mutex))); }
EXPORTED int cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return result_of(pthread_cond_wait(condition_of(condition), mutex_of(mutex)));
}
EXPORTED int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *limit) {
    lab_note_access(limit, sizeof *limit, 0, SITE);
    return result_of(pthread_cond_timedwait(condition_of(condition), mutex_of(mutex), limit));
}
EXPORTED int cnd_signal(cnd_t *condition) { return result_of(pthread_cond_signal(condition_of(condition))); }
EXPORTED int cnd_broadcast(cnd_t *condition) { return result_of(pthread_cond_broadcast(condition_of(condition))); }

// A thread function of C11 returns an int, but was called as one that returns a pointer: on this processor, both are
// returned in the same register.
EXPORTED int thrd_join(thrd_t thread, int *result) {
    void *value;
    int failure = is_controlled() ? lab_join((pthread_t)thread, &value, SITE_OF_WAIT) : pthread_join((pthread_t)thread, &value);
    if (!failure && result) lab_note_access(result, sizeof *result, 1, SITE), *result = (int)(intptr_t)value;
    return result_of(failure);
}
EXPORTED int thrd_detach(thrd_t thread) { return result_of(pthread_detach((pthread_t)thread)); }
EXPORTED _Noreturn void thrd_exit(int result) {
    pthread_exit((void *)(intptr_t)result);
    __builtin_unreachable();
}
EXPORTED void thrd_yield(void) { sched_yield(); }
EXPORTED int thrd_sleep(const struct timespec *duration, struct timespec *rest) {
    if (lab_sleep(duration, rest, SITE_OF_WAIT) == 0) return 0;
    // As C11 says: -1 for an interruption, another negative number for an error.
    return errno == EINTR ? -1 : -2;
}
EXPORTED void call_once(once_flag *flag, void (*initialize)(void)) { pthread_once((pthread_once_t *)flag, initialize); }

EXPORTED int tss_create(tss_t *key, tss_dtor_t destructor) { return result_of(lab_create_key((pthread_key_t *)key, destructor, SITE)); }
EXPORTED void tss_delete(tss_t key) { pthread_key_delete((pthread_key_t)key); }
EXPORTED void *tss_get(tss_t key) { return pthread_getspecific((pthread_key_t)key); }
EXPORTED int tss_set(tss_t key, void *value) { return result_of(pthread_setspecific((pthread_key_t)key, value)); }

#endif
