// What a thread is asked and told by its number: its stack, its name, how the system schedules it. The system does not know these threads, so its
// own functions would find another process under the same number.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// What threads tell of each other takes no steps.
static fiber_t *fiber_of(pthread_t handle) {
    int thread = lab_thread_of(handle);
    if (thread >= 0 && thread != lab_state->current && lab_state->unjoined > 1) lab_note_call("pthread_setname_np (of another thread)");
    return thread < 0 ? NULL : &lab_state->fibers[thread];
}

EXPORTED int pthread_getattr_np(pthread_t handle, pthread_attr_t *attributes) {
    if (!is_controlled()) return REAL(pthread_getattr_np, int, pthread_t, pthread_attr_t *)(handle, attributes);
    fiber_t *fiber = fiber_of(handle);
    if (!fiber) return ESRCH;
    lab_note_access(attributes, sizeof *attributes, 1, SITE);
    int failure = REAL(pthread_attr_init, int, pthread_attr_t *)(attributes);
    if (failure) return failure;
    REAL(pthread_attr_setdetachstate, int, pthread_attr_t *, int)(attributes, fiber->is_detached);
    return REAL(pthread_attr_setstack, int, pthread_attr_t *, void *, size_t)(attributes, fiber->stack + PAGE, STACK - PAGE);
}

EXPORTED int pthread_setname_np(pthread_t handle, const char *name) {
    if (!is_controlled()) return REAL(pthread_setname_np, int, pthread_t, const char *)(handle, name);
    fiber_t *fiber = fiber_of(handle);
    if (!fiber) return ESRCH;
    size_t size = REAL(strlen, size_t, const char *)(name) + 1;
    lab_note_access(name, size, 0, SITE);
    if (size > sizeof fiber->name) return ERANGE;
    memcpy(fiber->name, name, size);
    return 0;
}

EXPORTED int pthread_getname_np(pthread_t handle, char *name, size_t size) {
    if (!is_controlled()) return REAL(pthread_getname_np, int, pthread_t, char *, size_t)(handle, name, size);
    fiber_t *fiber = fiber_of(handle);
    if (!fiber) return ESRCH;
    if (size < sizeof fiber->name) return ERANGE;
    lab_note_access(name, sizeof fiber->name, 1, SITE);
    const char *whole = fiber->name[0] ? fiber->name : program_invocation_short_name;
    for (size_t i = 0; i < sizeof fiber->name; i++) {
        name[i] = i + 1 < sizeof fiber->name ? *whole : 0;
        if (*whole) whole++;
    }
    return 0;
}

EXPORTED int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *values) {
    if (!is_controlled()) return REAL(pthread_getschedparam, int, pthread_t, int *, struct sched_param *)(handle, policy, values);
    const fiber_t *fiber = fiber_of(handle);
    if (!fiber) return ESRCH;
    lab_note_access(policy, sizeof *policy, 1, SITE);
    lab_note_access(values, sizeof *values, 1, SITE);
    *policy = fiber->policy;
    *values = (struct sched_param){.sched_priority = fiber->priority};
    return 0;
}

// Here any thread may run next, whatever its priority.
EXPORTED int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *values) {
    if (!is_controlled()) return REAL(pthread_setschedparam, int, pthread_t, int, const struct sched_param *)(handle, policy, values);
    fiber_t *fiber = fiber_of(handle);
    if (!fiber) return ESRCH;
    lab_note_access(values, sizeof *values, 0, SITE);
    int is_possible = sched_get_priority_min(policy) >= 0 && values->sched_priority >= sched_get_priority_min(policy) &&
        values->sched_priority <= sched_get_priority_max(policy);
    if (!is_possible) return EINVAL;
    fiber->policy = policy;
    fiber->priority = values->sched_priority;
    return 0;
}

EXPORTED int pthread_setschedprio(pthread_t handle, int priority) {
    if (!is_controlled()) return REAL(pthread_setschedprio, int, pthread_t, int)(handle, priority);
    fiber_t *fiber = fiber_of(handle);
    if (fiber) fiber->priority = priority;
    return fiber ? 0 : ESRCH;
}

EXPORTED int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *processors) {
    if (!is_controlled()) return REAL(pthread_getaffinity_np, int, pthread_t, size_t, cpu_set_t *)(handle, size, processors);
    if (!fiber_of(handle)) return ESRCH;
    lab_note_access(processors, size, 1, SITE);
    return sched_getaffinity(0, size, processors) == 0 ? 0 : errno;
}

EXPORTED int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *processors) {
    if (!is_controlled()) return REAL(pthread_setaffinity_np, int, pthread_t, size_t, const cpu_set_t *)(handle, size, processors);
    if (!fiber_of(handle)) return ESRCH;
    lab_note_access(processors, size, 0, SITE);
    return 0;
}

// What CPU_COUNT calls.
// MARK: - By a thread's number

// Whether it is one of the program's threads, or 0 for the caller.
static int is_own(pid_t number) {
    int first = getpid();
    return number == 0 || (number >= first && number < first + lab_state->thread_count);
}

EXPORTED int sched_getaffinity(pid_t number, size_t size, cpu_set_t *processors) {
    lab_note_call("sched_getaffinity");
    if (is_controlled()) lab_make_writable(processors, size), number = is_own(number) ? 0 : number;
    return REAL(sched_getaffinity, int, pid_t, size_t, cpu_set_t *)(number, size, processors);
}

// What they change of a thread changes nothing, and is not put back: so it is left as it is.
#define SETS(name, parameters, types, arguments, number) \
    EXPORTED int name parameters { \
        lab_note_call(#name); \
        if (is_controlled() && is_own((pid_t)(number))) return 0; \
        return REAL(name, int, types)arguments; \
    }
#define AND ,
SETS(sched_setaffinity, (pid_t number, size_t size, const cpu_set_t *processors), pid_t AND size_t AND const cpu_set_t *,
     (number, size, processors), number)
SETS(sched_setscheduler, (pid_t number, int policy, const struct sched_param *values), pid_t AND int AND const struct sched_param *,
     (number, policy, values), number)
SETS(sched_setparam, (pid_t number, const struct sched_param *values), pid_t AND const struct sched_param *, (number, values), number)
SETS(setpriority, (__priority_which_t kind, id_t number, int priority), __priority_which_t AND id_t AND int, (kind, number, priority),
     kind == PRIO_PROCESS ? (pid_t)number : -1)

EXPORTED int sched_getscheduler(pid_t number) {
    lab_note_call("sched_getscheduler");
    return REAL(sched_getscheduler, int, pid_t)(is_controlled() && is_own(number) ? 0 : number);
}

EXPORTED int sched_getparam(pid_t number, struct sched_param *values) {
    lab_note_call("sched_getparam");
    if (is_controlled()) lab_make_writable(values, sizeof *values), number = is_own(number) ? 0 : number;
    return REAL(sched_getparam, int, pid_t, struct sched_param *)(number, values);
}

EXPORTED int getpriority(__priority_which_t kind, id_t number) {
    lab_note_call("getpriority");
    if (is_controlled() && kind == PRIO_PROCESS && is_own((pid_t)number)) number = 0;
    return REAL(getpriority, int, __priority_which_t, id_t)(kind, number);
}

EXPORTED int __sched_cpucount(size_t size, const cpu_set_t *processors) {
    lab_note_access(processors, size, 0, SITE);
    return REAL(__sched_cpucount, int, size_t, const cpu_set_t *)(size, processors);
}

#endif
