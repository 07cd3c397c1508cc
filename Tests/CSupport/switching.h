// The same program for both forms of the switch: included once for each, after "context.h".
#include <stdlib.h>

typedef struct {
    context_t host, fiber;
    long turns, sum;
} switching_t;

static switching_t *switching_current;

static long switching_mix(long value, long turn) { return (value * 31 + turn) % 1000003; }

static void switching_entry(void) {
    switching_t *state = switching_current;
    long a = 1, b = 2, c = 3;
    double x = 0.5;
    for (;;) {
        long turn = ++state->turns;
        a = switching_mix(a, turn), b = switching_mix(b, a), c = switching_mix(c, b);
        x = x * 0.5 + (double)turn;
        state->sum += c + (long)x;
        context_switch(&state->fiber, &state->host);
    }
}

static long switching_run(int rounds) {
    size_t size = 64 * 1024;
    char *stack = aligned_alloc(4096, size);
    switching_t state = {.turns = 0};
    switching_current = &state;
    context_make(&state.fiber, stack + size, size, switching_entry);
    long a = 7, b = 8, c = 9, lost = 0;
    double x = 0.25;
    for (long turn = 1; turn <= rounds; turn++) {
        context_switch(&state.host, &state.fiber);
        lost |= state.turns != turn;
        a = switching_mix(a, turn), b = switching_mix(b, a), c = switching_mix(c, b);
        x = x * 0.25 + (double)turn;
        state.sum += c + (long)x;
    }
    free(stack);
    return lost ? -1 : state.sum;
}
