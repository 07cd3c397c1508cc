// The POSIX thread headers, and the few glibc extensions that Swift's own Glibc module hides.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

// Declared here instead of by _GNU_SOURCE, with which the headers would differ from those that Swift's Glibc module has
// read.
extern int pthread_setname_np(pthread_t, const char *);
extern int pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *);
extern int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
extern int pthread_tryjoin_np(pthread_t, void **);
extern int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *, int);

static inline int cpthread_set_name(pthread_t thread, const char *name) { return pthread_setname_np(thread, name); }
static inline int cpthread_mutex_clocklock(pthread_mutex_t *m, const struct timespec *deadline) {
    return pthread_mutex_clocklock(m, CLOCK_MONOTONIC, deadline);
}
static inline int cpthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *deadline) {
    return pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, deadline);
}
static inline int cpthread_tryjoin(pthread_t t, void **value) { return pthread_tryjoin_np(t, value); }

// The kinds 0 (readers first) and 2 (writers first, not recursive) of glibc. Its kind 1, `PREFER_WRITER_NP`, prefers
// readers, too.
static inline int cpthread_rwlockattr_set_writers_first(pthread_rwlockattr_t *attributes, int writers_first) {
    return pthread_rwlockattr_setkind_np(attributes, writers_first ? 2 : 0);
}
