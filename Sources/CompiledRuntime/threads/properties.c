// The properties that are set and read by a thread's handle or number: its stack and name, its priority and its
// processors. The kernel does not know the program's threads: for a number, it would find no thread or another one.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
    // As set by pthread_setname_np. Empty: the program's name.
    char name[16];
    // As set by pthread_setschedparam.
    int policy, priority;
    // As set by setpriority and, for the processors, by pthread_setaffinity_np or sched_setaffinity.
    int nice, has_processors;
    cpu_set_t processors;
} properties_t;
LAB_EACH_THREAD(properties_t, properties);

static properties_t *of(const fiber_t *fiber) { return &properties[fiber - lab_state->fibers]; }

// The thread with this handle, or null. If it is not the running thread, nothing is proved, because threads set and
// read each other's properties without steps.
static fiber_t *fiber_of(pthread_t handle, const char *call) {
    int thread = lab_thread_of(handle);
    if (thread >= 0 && thread != lab_state->current && lab_state->unjoined > 1) lab_note_call(call);
    return thread < 0 ? NULL : &lab_state->fibers[thread];
}

EXPORTED int pthread_getattr_np(pthread_t handle, pthread_attr_t *attributes) {
    if (!is_controlled()) return REAL(pthread_getattr_np, int, pthread_t, pthread_attr_t *)(handle, attributes);
    fiber_t *fiber = fiber_of(handle, "pthread_getattr_np (of another thread)");
    if (!fiber) return ESRCH;
    lab_note_access(attributes, sizeof *attributes, 1, SITE);
    int failure = REAL(pthread_attr_init, int, pthread_attr_t *)(attributes);
    if (failure) return failure;
    REAL(pthread_attr_setdetachstate, int, pthread_attr_t *, int)(attributes, fiber->is_detached);
    return REAL(pthread_attr_setstack, int, pthread_attr_t *, void *, size_t)(attributes, fiber->stack + PAGE, STACK - PAGE);
}

EXPORTED int pthread_setname_np(pthread_t handle, const char *name) {
    if (!is_controlled()) return REAL(pthread_setname_np, int, pthread_t, const char *)(handle, name);
    fiber_t *fiber = fiber_of(handle, "pthread_setname_np (of another thread)");
    if (!fiber) return ESRCH;
    size_t size = REAL(strlen, size_t, const char *)(name) + 1;
    lab_note_access(name, size, 0, SITE);
    if (size > sizeof of(fiber)->name) return ERANGE;
    memcpy(of(fiber)->name, name, size);
    return 0;
}

EXPORTED int pthread_getname_np(pthread_t handle, char *name, size_t size) {
    if (!is_controlled()) return REAL(pthread_getname_np, int, pthread_t, char *, size_t)(handle, name, size);
    fiber_t *fiber = fiber_of(handle, "pthread_getname_np (of another thread)");
    if (!fiber) return ESRCH;
    if (size < sizeof of(fiber)->name) return ERANGE;
    lab_note_access(name, sizeof of(fiber)->name, 1, SITE);
    const char *whole = of(fiber)->name[0] ? of(fiber)->name : program_invocation_short_name;
    for (size_t i = 0; i < sizeof of(fiber)->name; i++) {
        name[i] = i + 1 < sizeof of(fiber)->name ? *whole : 0;
        if (*whole) whole++;
    }
    return 0;
}

EXPORTED int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *values) {
    if (!is_controlled()) return REAL(pthread_getschedparam, int, pthread_t, int *, struct sched_param *)(handle, policy, values);
    const fiber_t *fiber = fiber_of(handle, "pthread_getschedparam (of another thread)");
    if (!fiber) return ESRCH;
    lab_note_access(policy, sizeof *policy, 1, SITE);
    lab_note_access(values, sizeof *values, 1, SITE);
    *policy = of(fiber)->policy;
    *values = (struct sched_param){.sched_priority = of(fiber)->priority};
    return 0;
}

// Stores the policy and the priority, which have no effect: the engine may let any thread run next.
static int set_policy(fiber_t *fiber, int policy, const struct sched_param *values, uint64_t site) {
    lab_note_access(values, sizeof *values, 0, site);
    int is_possible = sched_get_priority_min(policy) >= 0 && values->sched_priority >= sched_get_priority_min(policy) &&
        values->sched_priority <= sched_get_priority_max(policy);
    if (!is_possible) return EINVAL;
    of(fiber)->policy = policy;
    of(fiber)->priority = values->sched_priority;
    return 0;
}

EXPORTED int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *values) {
    if (!is_controlled()) return REAL(pthread_setschedparam, int, pthread_t, int, const struct sched_param *)(handle, policy, values);
    fiber_t *fiber = fiber_of(handle, "pthread_setschedparam (of another thread)");
    return fiber ? set_policy(fiber, policy, values, SITE) : ESRCH;
}

EXPORTED int pthread_setschedprio(pthread_t handle, int priority) {
    if (!is_controlled()) return REAL(pthread_setschedprio, int, pthread_t, int)(handle, priority);
    fiber_t *fiber = fiber_of(handle, "pthread_setschedprio (of another thread)");
    if (fiber) of(fiber)->priority = priority;
    return fiber ? 0 : ESRCH;
}

// The processors on which the thread may run: those of the process, without those that the thread has excluded.
static int get_processors(const fiber_t *fiber, size_t size, cpu_set_t *processors) {
    lab_make_writable(processors, size);
    int result = REAL(sched_getaffinity, int, pid_t, size_t, cpu_set_t *)(0, size, processors);
    for (size_t i = 0; result >= 0 && of(fiber)->has_processors && i < size && i < sizeof of(fiber)->processors; i++) {
        ((char *)processors)[i] &= ((const char *)&of(fiber)->processors)[i];
    }
    return result;
}

// Fails with EINVAL if the process may use none of these processors.
static int set_processors(fiber_t *fiber, size_t size, const cpu_set_t *processors) {
    cpu_set_t possible = {0}, wanted = {0};
    REAL(sched_getaffinity, int, pid_t, size_t, cpu_set_t *)(0, sizeof possible, &possible);
    int has_some = 0;
    for (size_t i = 0; i < size && i < sizeof wanted; i++) {
        ((char *)&wanted)[i] = ((const char *)processors)[i];
        has_some |= ((char *)&wanted)[i] & ((char *)&possible)[i];
    }
    if (!has_some) return EINVAL;
    of(fiber)->processors = wanted;
    of(fiber)->has_processors = 1;
    return 0;
}

EXPORTED int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *processors) {
    if (!is_controlled()) return REAL(pthread_getaffinity_np, int, pthread_t, size_t, cpu_set_t *)(handle, size, processors);
    fiber_t *fiber = fiber_of(handle, "pthread_getaffinity_np (of another thread)");
    if (!fiber) return ESRCH;
    lab_note_call("pthread_getaffinity_np");
    lab_note_access(processors, size, 1, SITE);
    return get_processors(fiber, size, processors) >= 0 ? 0 : errno;
}

EXPORTED int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *processors) {
    if (!is_controlled()) return REAL(pthread_setaffinity_np, int, pthread_t, size_t, const cpu_set_t *)(handle, size, processors);
    fiber_t *fiber = fiber_of(handle, "pthread_setaffinity_np (of another thread)");
    if (!fiber) return ESRCH;
    lab_note_access(processors, size, 0, SITE);
    return set_processors(fiber, size, processors);
}

// MARK: - By a thread's number

// The program's thread with this number, or null; 0 means the calling thread. Other numbers are those of other
// processes.
static fiber_t *fiber_numbered(pid_t number) {
    int thread = number ? number - getpid() : lab_state->current;
    return thread >= 0 && thread < lab_state->thread_count ? &lab_state->fibers[thread] : NULL;
}

static int result_of(int code) {
    if (code) errno = code;
    return code ? -1 : 0;
}

// Notes the call, and finds the program's thread with this number. Null: there is none. What a program sets for one of
// its threads has no effect: it is stored, so that the program can read it again.
#define OWN(name, number) \
    lab_note_call(#name); \
    fiber_t *fiber = is_controlled() ? fiber_numbered(number) : NULL

EXPORTED int sched_getaffinity(pid_t number, size_t size, cpu_set_t *processors) {
    OWN(sched_getaffinity, number);
    if (!fiber) return REAL(sched_getaffinity, int, pid_t, size_t, cpu_set_t *)(number, size, processors);
    lab_note_access(processors, size, 1, SITE);
    return get_processors(fiber, size, processors);
}

EXPORTED int sched_setaffinity(pid_t number, size_t size, const cpu_set_t *processors) {
    OWN(sched_setaffinity, number);
    if (!fiber) return REAL(sched_setaffinity, int, pid_t, size_t, const cpu_set_t *)(number, size, processors);
    lab_note_access(processors, size, 0, SITE);
    return result_of(set_processors(fiber, size, processors));
}

EXPORTED int sched_setscheduler(pid_t number, int policy, const struct sched_param *values) {
    OWN(sched_setscheduler, number);
    if (!fiber) return REAL(sched_setscheduler, int, pid_t, int, const struct sched_param *)(number, policy, values);
    return result_of(set_policy(fiber, policy, values, SITE));
}

EXPORTED int sched_getscheduler(pid_t number) {
    OWN(sched_getscheduler, number);
    return fiber ? of(fiber)->policy : REAL(sched_getscheduler, int, pid_t)(number);
}

EXPORTED int sched_setparam(pid_t number, const struct sched_param *values) {
    OWN(sched_setparam, number);
    if (!fiber) return REAL(sched_setparam, int, pid_t, const struct sched_param *)(number, values);
    return result_of(set_policy(fiber, of(fiber)->policy, values, SITE));
}

EXPORTED int sched_getparam(pid_t number, struct sched_param *values) {
    OWN(sched_getparam, number);
    if (!fiber) return REAL(sched_getparam, int, pid_t, struct sched_param *)(number, values);
    lab_note_access(values, sizeof *values, 1, SITE);
    *values = (struct sched_param){.sched_priority = of(fiber)->priority};
    return 0;
}

EXPORTED int setpriority(__priority_which_t kind, id_t number, int priority) {
    OWN(setpriority, (pid_t)number);
    if (!fiber || kind != PRIO_PROCESS) return REAL(setpriority, int, __priority_which_t, id_t, int)(kind, number, priority);
    of(fiber)->nice = priority < -20 ? -20 : priority > 19 ? 19 : priority;
    return 0;
}

EXPORTED int getpriority(__priority_which_t kind, id_t number) {
    OWN(getpriority, (pid_t)number);
    if (!fiber || kind != PRIO_PROCESS) return REAL(getpriority, int, __priority_which_t, id_t)(kind, number);
    return of(fiber)->nice;
}

// The function behind the macro CPU_COUNT.
EXPORTED int __sched_cpucount(size_t size, const cpu_set_t *processors) {
    lab_note_access(processors, size, 0, SITE);
    return REAL(__sched_cpucount, int, size_t, const cpu_set_t *)(size, processors);
}

#endif
