// What a thread is asked and told by its number: its stack, its name, how the system schedules it. The system does not know these threads, so its
// own functions would find another process under the same number.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <errno.h>
#include <sched.h>
#include <string.h>

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
EXPORTED int __sched_cpucount(size_t size, const cpu_set_t *processors) {
    lab_note_access(processors, size, 0, SITE);
    return REAL(__sched_cpucount, int, size_t, const cpu_set_t *)(size, processors);
}

#endif
