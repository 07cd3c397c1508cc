// Runs a thread's code as threaded code: each instruction jumps to the next one. Between a store and the next load the
// processor executes only a few instructions, which touch registers and the thread's own memory, so the store is still
// in the store buffer when the load reads.
#include "internal.h"

#include <stdlib.h>

enum {
    // The number of times that a failed `await` is repeated before it is examined.
    SPINS = 300,
    // The number of loop turns before the thread looks at the clock.
    TURNS = 10000,
};

// A value can be shifted by this number of bits, or fewer.
enum { MOST_SHIFT = 63 };

// Stores `a` shifted by `b` bits. Returns false if the result does not fit, or if the operation has none.
static bool shifted_left(int64_t a, int64_t b, int64_t *result) {
    if (b < 0 || b > MOST_SHIFT) return false;
    int64_t shifted = (int64_t)((uint64_t)a << b);
    *result = shifted;
    return shifted >> b == a;
}

// The value of a mutex that the thread holds. `finally` runs alone, as the main thread, with a number after all others.
static int64_t holder(const worker_t *worker) { return worker->isAlone ? CLITMUS_MOST_THREADS + 1 : worker->number + 1; }

// Performs the instructions from `step` on. If `step` is null, only stores in `handlers` the addresses of the code for
// each opcode, which only this function knows.
static clitmus_ending perform(
    worker_t *worker, const step_t *step, int64_t *restrict r, char *instance, const void **handlers) {
#define HANDLER(name) [CLITMUS_##name] = &&do_##name
    static const void *const table[CLITMUS_OPCODES] = {
        HANDLER(END), HANDLER(MOVE), HANDLER(INVERT), HANDLER(NOT), HANDLER(ABSOLUTE), HANDLER(ADD), HANDLER(SUBTRACT),
        HANDLER(MULTIPLY), HANDLER(DIVIDE), HANDLER(REMAINDER), HANDLER(BIT_AND), HANDLER(BIT_OR), HANDLER(BIT_XOR),
        HANDLER(SHIFT_LEFT), HANDLER(SHIFT_RIGHT), HANDLER(EQUAL), HANDLER(NOT_EQUAL), HANDLER(LESS),
        HANDLER(LESS_OR_EQUAL), HANDLER(LEAST), HANDLER(GREATEST), HANDLER(CHOOSE), HANDLER(ELEMENT), HANDLER(JUMP),
        HANDLER(JUMP_BACK), HANDLER(JUMP_IF), HANDLER(JUMP_UNLESS), HANDLER(AWAIT), HANDLER(LOAD_RELAXED),
        HANDLER(LOAD_ACQUIRE), HANDLER(LOAD_SEQCST), HANDLER(STORE_RELAXED), HANDLER(STORE_RELEASE),
        HANDLER(STORE_SEQCST), HANDLER(EXCHANGE), HANDLER(FETCH_ADD), HANDLER(FETCH_AND), HANDLER(FETCH_OR),
        HANDLER(FETCH_XOR), HANDLER(COMPARE_EXCHANGE), HANDLER(FENCE), HANDLER(TRY_LOCK), HANDLER(UNLOCK),
    };
    if (!step) {
        for (int opcode = 0; opcode < CLITMUS_OPCODES; opcode++) handlers[opcode] = table[opcode];
        return CLITMUS_COMPLETED;
    }
    const step_t *first = step;
    uint32_t spins = SPINS, turns = TURNS;
    clitmus_ending ending;

// GO performs the instruction `step`, and NEXT the one after it. R, A, B: the registers that `step` names. CELL: its
// cell of memory. CHECKED defines an instruction whose `condition` stores the result, and is true if there is none;
// SIMPLE one that stores `value`.
#define GO goto *step->handler
#define NEXT do { step++; GO; } while (0)
#define R r[step->r]
#define A r[step->a]
#define B r[step->b]
#define CELL ((int64_t *)(instance + step->place + r[step->i]))
#define CHECKED(name, condition) do_##name: if (condition) goto failed; NEXT
#define SIMPLE(name, value) do_##name: R = (value); NEXT
    GO;

do_END:
    return (clitmus_ending)step->place;

    SIMPLE(MOVE, A);
    SIMPLE(INVERT, ~A);
    SIMPLE(NOT, A == 0);
    SIMPLE(BIT_AND, A & B);
    SIMPLE(BIT_OR, A | B);
    SIMPLE(BIT_XOR, A ^ B);
    SIMPLE(EQUAL, A == B);
    SIMPLE(NOT_EQUAL, A != B);
    SIMPLE(LESS, A < B);
    SIMPLE(LESS_OR_EQUAL, A <= B);
    SIMPLE(LEAST, A < B ? A : B);
    SIMPLE(GREATEST, A > B ? A : B);
    CHECKED(ADD, __builtin_add_overflow(A, B, &R));
    CHECKED(SUBTRACT, __builtin_sub_overflow(A, B, &R));
    CHECKED(MULTIPLY, __builtin_mul_overflow(A, B, &R));
    CHECKED(SHIFT_LEFT, !shifted_left(A, B, &R));
do_ABSOLUTE:
    if (A == INT64_MIN) goto failed;
    R = A < 0 ? -A : A;
    NEXT;
do_DIVIDE:
    if (B == 0 || (A == INT64_MIN && B == -1)) goto failed;
    R = A / B;
    NEXT;
do_REMAINDER:
    if (B == 0 || (A == INT64_MIN && B == -1)) goto failed;
    R = A % B;
    NEXT;
do_SHIFT_RIGHT:
    if (B < 0 || B > MOST_SHIFT) goto failed;
    R = A >> B;
    NEXT;
do_CHOOSE:
    if (A <= 0) goto failed;
    R = (int64_t)(next_random(&worker->random) % (uint64_t)A);
    NEXT;
do_ELEMENT:
    if ((uint64_t)A >= (uint64_t)step->place) goto failed;
    R = A * step->b;
    NEXT;

do_JUMP:
    step = first + step->place;
    GO;
do_JUMP_IF:
    step = A ? first + step->place : step + 1;
    GO;
do_JUMP_UNLESS:
    step = A ? step + 1 : first + step->place;
    GO;
do_JUMP_BACK:
    if (--turns == 0) {
        turns = TURNS;
        ending = clitmus_loop(worker);
        if (ending != CLITMUS_COMPLETED) return ending;
    }
    step = first + step->place;
    GO;
do_AWAIT:
    if (A) {
        if (worker->isWaiting) clitmus_leave(worker);
        spins = SPINS;
        NEXT;
    }
    if (spins > 0) {
        spins--;
        pause_briefly();
    } else {
        ending = clitmus_wait(worker);
        if (ending != CLITMUS_COMPLETED) return ending;
    }
    step = first + step->place;
    GO;

    SIMPLE(LOAD_RELAXED, __atomic_load_n(CELL, __ATOMIC_RELAXED));
    SIMPLE(LOAD_ACQUIRE, __atomic_load_n(CELL, __ATOMIC_ACQUIRE));
    SIMPLE(LOAD_SEQCST, __atomic_load_n(CELL, __ATOMIC_SEQ_CST));
do_STORE_RELAXED:
    __atomic_store_n(CELL, A, __ATOMIC_RELAXED);
    NEXT;
do_STORE_RELEASE:
    __atomic_store_n(CELL, A, __ATOMIC_RELEASE);
    NEXT;
do_STORE_SEQCST:
    __atomic_store_n(CELL, A, __ATOMIC_SEQ_CST);
    NEXT;
    SIMPLE(EXCHANGE, __atomic_exchange_n(CELL, A, step->order));
    SIMPLE(FETCH_AND, __atomic_fetch_and(CELL, A, step->order));
    SIMPLE(FETCH_OR, __atomic_fetch_or(CELL, A, step->order));
    SIMPLE(FETCH_XOR, __atomic_fetch_xor(CELL, A, step->order));
do_FETCH_ADD: {
    int64_t old = __atomic_fetch_add(CELL, A, step->order), sum;
    if (__builtin_add_overflow(old, A, &sum)) goto failed;
    R = old;
    NEXT;
}
do_COMPARE_EXCHANGE: {
    int64_t expected = A;
    R = __atomic_compare_exchange_n(CELL, &expected, B, false, step->order, step->failureOrder);
    NEXT;
}
do_FENCE:
    __atomic_thread_fence(step->order);
    NEXT;
do_TRY_LOCK: {
    // A held lock is only read, so that waiting threads do not disturb each other.
    int64_t expected = 0;
    R = __atomic_load_n(CELL, __ATOMIC_RELAXED) == 0
        && __atomic_compare_exchange_n(
            CELL, &expected, holder(worker), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    NEXT;
}
do_UNLOCK:
    if (__atomic_load_n(CELL, __ATOMIC_RELAXED) != holder(worker)) return CLITMUS_MISUSE;
    // An exchange, as in the C library. The lab's memory models treat an unlock as an update too: under tso, no store
    // is buffered after it.
    __atomic_exchange_n(CELL, 0, __ATOMIC_SEQ_CST);
    NEXT;

failed:
    return CLITMUS_ERROR;
}

clitmus_ending clitmus_interpret(worker_t *worker, const step_t *code, int64_t *registers, char *instance) {
    clitmus_ending ending = perform(worker, code, registers, instance, NULL);
    if (worker->isWaiting) clitmus_leave(worker);
    worker->loopBegin = 0;
    return ending;
}

step_t *clitmus_translate(const clitmus_body *body) {
    const void *handlers[CLITMUS_OPCODES];
    perform(NULL, NULL, NULL, NULL, handlers);
    step_t *steps = calloc(body->length, sizeof *steps);
    for (uint32_t number = 0; steps && number < body->length; number++) {
        clitmus_instruction from = body->code[number];
        steps[number] = (step_t){
            .handler = handlers[from.opcode], .r = from.r, .a = from.a, .b = from.b, .i = from.i, .place = from.place,
            .order = (uint8_t)from.order, .failureOrder = (uint8_t)from.failureOrder,
        };
    }
    return steps;
}
