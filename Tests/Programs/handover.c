// Compare-exchanges in loops, on words that nothing has written before.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int state, gate;

// Each waits for its number, and makes it the next.
static void *pass(int from) {
    int found;
    do found = from;
    while (!atomic_compare_exchange_strong(&state, &found, from + 1));
    assert(found == from && state > from);
    return NULL;
}
static void *pass_zero(void *unused) { return (void)unused, pass(0); }
static void *pass_one(void *unused) { return (void)unused, pass(1); }

// Waits for a number that another thread stores after others.
static void *take(void *unused) {
    int found = 2;
    while (!atomic_compare_exchange_strong(&state, &found, 3)) found = 2;
    return unused;
}
static void *put(void *unused) {
    state = 1;
    state = 2;
    return unused;
}

// Also ends if it sees what it would store.
static void *take_or_see(void *unused) {
    int found = 2;
    while (!atomic_compare_exchange_strong(&state, &found, 3)) {
        if (state == 3) break;
        found = 2;
    }
    return unused;
}
static void *put_last(void *unused) {
    state = 3;
    return unused;
}

// Tries only while a gate, which nothing writes, is open.
static void *take_at_gate(void *unused) {
    int has_taken = 0;
    while (!has_taken) {
        if (gate == 0) {
            int found = 2, result = atomic_compare_exchange_strong(&state, &found, 3);
            has_taken = result + 3 - 3;
        }
    }
    return unused;
}

// Which of two it tries depends on what it reads before.
static void *take_either(void *unused) {
    int has_taken = 0;
    while (!has_taken) {
        int zero = 0, two = 2;
        if (state == 3) has_taken = atomic_compare_exchange_strong(&state, &zero, 3);
        else has_taken = atomic_compare_exchange_strong(&state, &two, 3);
    }
    return unused;
}

// Lets others run between its attempts.
static void *take_politely(void *unused) {
    int found = 2;
    while (!atomic_compare_exchange_strong(&state, &found, 3)) {
        found = 2;
        sched_yield();
    }
    return unused;
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        void *(*one)(void *), *(*other)(void *);
    } pairs[] = {
        {"turn", pass_one, pass_zero},   {"late", take, put},       {"seen", take_or_see, put_last},
        {"gate", take_at_gate, put},     {"either", take_either, put}, {"yield", take_politely, put},
    };
    assert(count == 2);
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(words[1], pairs[i].name) != 0) continue;
        pthread_t one, other;
        pthread_create(&one, NULL, pairs[i].one, NULL);
        pthread_create(&other, NULL, pairs[i].other, NULL);
        pthread_join(one, NULL);
        pthread_join(other, NULL);
        return state < 2;
    }
    return 2;
}
