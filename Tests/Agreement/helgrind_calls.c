// Tells Helgrind of calls that it does not know (3.19): those of glibc that take a clock, or do not wait. threadlab uses them
// so that a blocked thread can be ended. Without this Helgrind would see no join, and no lock that was waited for.
//
// Preloaded; each call does what it does, and then says so, as Helgrind's own wrappers do for the calls that it knows.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <valgrind/helgrind.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int told_join(int code, pthread_t thread) {
    if (code == 0)
        VALGRIND_DO_CLIENT_REQUEST_STMT(_VG_USERREQ__HG_PTHREAD_JOIN_POST, thread, 0, 0, 0, 0);
    return code;
}

static int told_permit(int code, sem_t *semaphore) {
    if (code == 0) VALGRIND_HG_SEM_WAIT_POST(semaphore);
    return code;
}

int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock, const struct timespec *deadline) {
    return told_join(REAL(pthread_clockjoin_np)(thread, value, clock, deadline), thread);
}

int pthread_tryjoin_np(pthread_t thread, void **value) {
    return told_join(REAL(pthread_tryjoin_np)(thread, value), thread);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
    VALGRIND_HG_MUTEX_LOCK_PRE(mutex, 0);
    int code = REAL(pthread_mutex_clocklock)(mutex, clock, deadline);
    if (code == 0) VALGRIND_HG_MUTEX_LOCK_POST(mutex);
    return code;
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
    return told_permit(REAL(sem_clockwait)(semaphore, clock, deadline), semaphore);
}

int sem_trywait(sem_t *semaphore) { return told_permit(REAL(sem_trywait)(semaphore), semaphore); }
