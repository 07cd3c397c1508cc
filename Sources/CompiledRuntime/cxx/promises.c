// Results that a std::promise or std::packaged_task makes ready when its thread ends. libstdc++ does that with atomics
// in code that is not instrumented: it takes a reference to the shared state if that still exists, makes the result
// ready, and drops the reference. Around that, the runtime holds a reference of its own, which it takes and drops in
// steps. So the library never drops the last reference, and the state is destroyed only after a step.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

// The control block of libstdc++'s std::shared_ptr. owners: the references to the object. watchers: those to the block
// itself. The virtual function DISPOSE destroys the object, and DESTROY the block.
typedef struct {
    void (**functions)(void *);
    int32_t owners, watchers;
} counts_t;
enum { DISPOSE = 2, DESTROY = 3 };

// libstdc++'s _Make_ready: an element in the list of what is done at the end of a thread, with a std::weak_ptr to the
// shared state of a future.
typedef struct {
    void *next;
    void (*call)(void *);
    char *state;
    counts_t *counts;
} ending_t;

// The offset in the shared state of the word that says whether the result is ready.
enum { STATUS = 16 };

// By thread: the program's code that has last asked for a result at the end of the thread.
static uint64_t sites[MOST_THREADS];
static void (*make_ready)(void *);

// Changes the count by a step. Returns its old value.
static int32_t add(int32_t *count, int32_t change, uint64_t site) {
    lab_atomic_step(compiled_add, sizeof *count, count, change, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, site);
    return __atomic_fetch_add(count, change, __ATOMIC_ACQ_REL);
}

// Called in place of _Make_ready's own function.
static void make_ready_in_order(void *element) {
    ending_t *ending = element;
    uint64_t site = sites[lab_state->current];
    counts_t *counts = ending->counts;
    char *state = ending->state;
    // The last owner is gone, and the shared state with it.
    if (!counts->owners) return make_ready(ending);
    // The runtime's own reference.
    add(&counts->owners, 1, site);
    // A step on the status, which the library is about to change.
    add((int32_t *)(state + STATUS), 0, site);
    make_ready(ending);
    if (add(&counts->owners, -1, site) > 1) return;
    counts->functions[DISPOSE](counts);
    if (add(&counts->watchers, -1, site) == 1) counts->functions[DESTROY](counts);
}

EXPORTED void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(ending_t *ending) {
    REAL(_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv, void, ending_t *)(ending);
    if (!is_controlled() || !ending->state) return;
    lab_note_call("std::promise::set_value_at_thread_exit");
    sites[lab_state->current] = SITE;
    make_ready = ending->call;
    ending->call = make_ready_in_order;
}

#endif
