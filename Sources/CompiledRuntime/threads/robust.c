// Robust mutexes: when a thread ends, those that it holds are released with a mark, which says that their owner has
// died. The next thread to lock such a mutex learns of it (EOWNERDEAD). The engine keeps the marks.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>

// glibc's flag for a robust mutex, in the field with the mutex's kind.
enum { robust_flag = 16 };
// As in the engine: ObjectState.Mark of the module Machine.
enum { mark_owner_died = -1, mark_unusable = -2 };

int lab_is_robust(const pthread_mutex_t *mutex) { return (mutex->__data.__kind & robust_flag) != 0; }

// By thread: the first in the list of robust mutexes that the thread holds.
typedef __pthread_list_t *first_t;
LAB_EACH_THREAD(first_t, lists);

// Whether the mutex protects something that an owner that ended may have left half done. This is kept in the field in
// which the C library counts the users of the mutex.
static unsigned *is_inconsistent(pthread_mutex_t *mutex) { return &mutex->__data.__nusers; }

// The neighbors of the mutex in its owner's list, in a field in which the C library keeps such a list, too.
static __pthread_list_t *links(pthread_mutex_t *mutex) { return &mutex->__data.__list; }

static pthread_mutex_t *mutex_of(__pthread_list_t *links) {
    return (pthread_mutex_t *)((char *)links - offsetof(pthread_mutex_t, __data.__list));
}

void lab_keep_robust(pthread_mutex_t *mutex, int has_owner_died) {
    __pthread_list_t **first = &lists[lab_state->current], *own = links(mutex);
    *is_inconsistent(mutex) = (unsigned)has_owner_died;
    *own = (__pthread_list_t){.__prev = NULL, .__next = *first};
    if (*first) (*first)->__prev = own;
    *first = own;
}

int64_t lab_drop_robust(pthread_mutex_t *mutex) {
    __pthread_list_t *own = links(mutex);
    if (own->__prev) own->__prev->__next = own->__next;
    else lists[lab_state->current] = own->__next;
    if (own->__next) own->__next->__prev = own->__prev;
    *own = (__pthread_list_t){NULL, NULL};
    int64_t mark = *is_inconsistent(mutex) ? mark_unusable : 0;
    *is_inconsistent(mutex) = 0;
    return mark;
}

// Releases the robust mutexes of a thread that ends, each as often as the thread holds it. The last release leaves the
// mark.
static void abandon_mutexes(void) {
    first_t *first = &lists[lab_state->current];
    while (*first) {
        pthread_mutex_t *mutex = mutex_of(*first);
        unsigned holds = mutex->__data.__count;
        mutex->__data.__count = 0;
        mutex->__data.__owner = 0;
        lab_drop_robust(mutex);
        while (holds-- > 0) {
            lab_ask((compiled_request_t){
                .kind = compiled_unlock, .detail = lab_mutex_kind(mutex), .object = (uint64_t)mutex, .a = holds ? 0 : mark_owner_died});
        }
        lab_wake_lockers(mutex, 0);
    }
}
// After leave_signals.
LAB_PHASE(lab_at_thread_end, LAB_EARLY + 2, abandon_mutexes);

EXPORTED int pthread_mutex_consistent(pthread_mutex_t *mutex) {
    if (!is_controlled()) return REAL(pthread_mutex_consistent, int, pthread_mutex_t *)(mutex);
    int is_own = mutex->__data.__owner == lab_state->current + 1;
    if (!lab_is_robust(mutex) || !is_own || !*is_inconsistent(mutex)) return EINVAL;
    *is_inconsistent(mutex) = 0;
    return 0;
}

#endif
