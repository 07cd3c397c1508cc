// Attributes of threads, mutexes, conditions, read-write locks and barriers, and sets of signals. The C library does
// the work; the runtime only notes that the caller accesses the program's memory.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <pthread.h>
#include <signal.h>

// ACCESSES_ATTRIBUTES defines the function `name`, which accesses all attributes in an object of this type, and writes
// them if `writes` is 1. SETS_ATTRIBUTE defines one that sets an attribute.
#define ACCESSES_ATTRIBUTES(name, type, writes) \
    EXPORTED int name(type *attributes) { \
        lab_note_access(attributes, sizeof *attributes, writes, SITE); \
        return REAL(name, int, type *)(attributes); \
    }
#define SETS_ATTRIBUTE(name, type, value_type) \
    EXPORTED int name(type *attributes, value_type value) { \
        lab_note_access(attributes, sizeof *attributes, 1, SITE); \
        return REAL(name, int, type *, value_type)(attributes, value); \
    }
ACCESSES_ATTRIBUTES(pthread_attr_init, pthread_attr_t, 1)
ACCESSES_ATTRIBUTES(pthread_attr_destroy, pthread_attr_t, 1)
SETS_ATTRIBUTE(pthread_attr_setdetachstate, pthread_attr_t, int)
SETS_ATTRIBUTE(pthread_attr_setstacksize, pthread_attr_t, size_t)
SETS_ATTRIBUTE(pthread_attr_setguardsize, pthread_attr_t, size_t)
SETS_ATTRIBUTE(pthread_attr_setscope, pthread_attr_t, int)
SETS_ATTRIBUTE(pthread_attr_setinheritsched, pthread_attr_t, int)
SETS_ATTRIBUTE(pthread_attr_setschedpolicy, pthread_attr_t, int)
ACCESSES_ATTRIBUTES(pthread_mutexattr_init, pthread_mutexattr_t, 1)
ACCESSES_ATTRIBUTES(pthread_mutexattr_destroy, pthread_mutexattr_t, 1)
SETS_ATTRIBUTE(pthread_mutexattr_settype, pthread_mutexattr_t, int)
SETS_ATTRIBUTE(pthread_mutexattr_setrobust, pthread_mutexattr_t, int)
SETS_ATTRIBUTE(pthread_mutexattr_setprotocol, pthread_mutexattr_t, int)
SETS_ATTRIBUTE(pthread_mutexattr_setprioceiling, pthread_mutexattr_t, int)
SETS_ATTRIBUTE(pthread_mutexattr_setpshared, pthread_mutexattr_t, int)
ACCESSES_ATTRIBUTES(pthread_condattr_init, pthread_condattr_t, 1)
ACCESSES_ATTRIBUTES(pthread_condattr_destroy, pthread_condattr_t, 1)
SETS_ATTRIBUTE(pthread_condattr_setclock, pthread_condattr_t, clockid_t)
SETS_ATTRIBUTE(pthread_condattr_setpshared, pthread_condattr_t, int)
ACCESSES_ATTRIBUTES(pthread_rwlockattr_init, pthread_rwlockattr_t, 1)
ACCESSES_ATTRIBUTES(pthread_rwlockattr_destroy, pthread_rwlockattr_t, 1)
SETS_ATTRIBUTE(pthread_rwlockattr_setkind_np, pthread_rwlockattr_t, int)
SETS_ATTRIBUTE(pthread_rwlockattr_setpshared, pthread_rwlockattr_t, int)
ACCESSES_ATTRIBUTES(pthread_barrierattr_init, pthread_barrierattr_t, 1)
ACCESSES_ATTRIBUTES(pthread_barrierattr_destroy, pthread_barrierattr_t, 1)
SETS_ATTRIBUTE(pthread_barrierattr_setpshared, pthread_barrierattr_t, int)

// Defines the function `name`, which reads an attribute of the object.
#define READS_ATTRIBUTE(name, type, value_type) \
    EXPORTED int name(const type *attributes, value_type *value) { \
        lab_note_access(attributes, sizeof *attributes, 0, SITE); \
        lab_note_access(value, sizeof *value, 1, SITE); \
        return REAL(name, int, const type *, value_type *)(attributes, value); \
    }
READS_ATTRIBUTE(pthread_attr_getdetachstate, pthread_attr_t, int)
READS_ATTRIBUTE(pthread_attr_getstacksize, pthread_attr_t, size_t)
READS_ATTRIBUTE(pthread_mutexattr_gettype, pthread_mutexattr_t, int)
READS_ATTRIBUTE(pthread_mutexattr_getrobust, pthread_mutexattr_t, int)
READS_ATTRIBUTE(pthread_mutexattr_getprotocol, pthread_mutexattr_t, int)
READS_ATTRIBUTE(pthread_condattr_getclock, pthread_condattr_t, clockid_t)
READS_ATTRIBUTE(pthread_rwlockattr_getkind_np, pthread_rwlockattr_t, int)

EXPORTED int pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, size_t *size) {
    lab_note_access(attributes, sizeof *attributes, 0, SITE);
    lab_note_access(stack, sizeof *stack, 1, SITE);
    lab_note_access(size, sizeof *size, 1, SITE);
    return REAL(pthread_attr_getstack, int, const pthread_attr_t *, void **, size_t *)(attributes, stack, size);
}

#define CHANGES_SIGNAL(name) \
    EXPORTED int name(sigset_t *set, int number) { \
        lab_note_access(set, sizeof *set, 1, SITE); \
        return REAL(name, int, sigset_t *, int)(set, number); \
    }
CHANGES_SIGNAL(sigaddset)
CHANGES_SIGNAL(sigdelset)
ACCESSES_ATTRIBUTES(sigemptyset, sigset_t, 1)
ACCESSES_ATTRIBUTES(sigfillset, sigset_t, 1)

EXPORTED int sigismember(const sigset_t *set, int number) {
    lab_note_access(set, sizeof *set, 0, SITE);
    return REAL(sigismember, int, const sigset_t *, int)(set, number);
}

#endif
