// Atomic operations with orders weaker than sequential consistency, in all the forms that C has.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x, y;
static int plain, first, second;

static void *seqcst(void *p) {
    x++;
    return p;
}
static void *relaxed(void *p) {
    first = atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}
static void *release(void *p) {
    atomic_store_explicit(&x, 1, memory_order_release);
    return p;
}
static void *consume(void *p) {
    first = atomic_load_explicit(&x, memory_order_consume);
    return p;
}
static void *failure(void *p) {
    int expected = 7;
    atomic_compare_exchange_strong_explicit(&x, &expected, 8, memory_order_seq_cst, memory_order_relaxed);
    return p;
}
static void *fence(void *p) {
    atomic_thread_fence(memory_order_acq_rel);
    return p;
}
static void *builtin(void *p) {
    static int word;
    __atomic_fetch_add(&word, 1, __ATOMIC_ACQ_REL);
    return p;
}
static void *unlock(void *p) {
    static int word;
    __sync_lock_release(&word);
    return p;
}
static void *sync(void *p) {
    static int word;
    __sync_fetch_and_add(&word, 1);
    return p;
}
static void *many(void *p) {
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}
// While there is one thread, no order matters.
static void *alone(void *p) { return p; }

// Store buffering: real processors end with two zeros.
static void *store_first(void *p) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    first = atomic_load_explicit(&y, memory_order_relaxed);
    return p;
}
static void *store_second(void *p) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    second = atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}

// Its rounds are one wait for a write, as with seqcst orders.
static void *await(void *p) {
    while (!atomic_load_explicit(&x, memory_order_acquire)) sched_yield();
    return p;
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        void *(*body)(void *);
    } bodies[] = {
        {"seqcst", seqcst}, {"relaxed", relaxed}, {"release", release}, {"consume", consume}, {"failure", failure},
        {"fence", fence},   {"builtin", builtin}, {"unlock", unlock},   {"sync", sync},       {"many", many},
        {"alone", alone},   {"await", await},     {"buffering", store_first},
    };
    assert(count == 2);
    atomic_store_explicit(&y, 0, memory_order_relaxed);
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (strcmp(words[1], bodies[i].name) != 0) continue;
        pthread_t one, other;
        pthread_create(&one, NULL, bodies[i].body, NULL);
        pthread_create(&other, NULL, bodies[i].body == store_first ? store_second : seqcst, NULL);
        pthread_join(one, NULL);
        pthread_join(other, NULL);
        if (bodies[i].body == store_first) assert(first || second);
        plain = atomic_load_explicit(&x, memory_order_acquire);
        return 0;
    }
    return 2;
}
