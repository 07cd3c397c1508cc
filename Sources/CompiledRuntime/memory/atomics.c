// Atomic operations, for which instrumented code calls functions (the interface of ThreadSanitizer). Each is a step if
// the program has several threads.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

// Takes the step. watch: the part that it plays in a polling loop.
static int64_t ask(compiled_request_t request, compiled_watch_t watch) {
    request.watch = (uint8_t)watch;
    int64_t answer = lab_ask(request);
    lab_check_use(request.object, request.size, request.site);
    return answer;
}

static int compares(const compiled_request_t *request) {
    return request->kind == compiled_compare_exchange || request->kind == compiled_weak_compare_exchange;
}

// Whether the operation would leave the memory as it is.
static int changes_nothing(const compiled_request_t *request) {
    int64_t word = lab_peek(request->object, (uint32_t)request->size);
    switch (request->kind) {
    case compiled_compare_exchange: case compiled_weak_compare_exchange: return word != request->a;
    case compiled_exchange: return word == request->a;
    case compiled_add: case compiled_xor: return request->a == 0;
    case compiled_and: return (word & request->a) == word;
    case compiled_or: return (word | request->a) == word;
    default: return 0;
    }
}

// The memory order of a load that replaces an operation with this order.
static uint8_t order_of_load(uint8_t order) {
    switch (order) {
    case __ATOMIC_RELEASE: return __ATOMIC_RELAXED;
    case __ATOMIC_ACQ_REL: return __ATOMIC_ACQUIRE;
    default: return order;
    }
}

// Takes a step that only loads, in the place of the operation. Returns whether that suffices, because the operation
// would change nothing.
static int load_suffices(const compiled_request_t *request, compiled_watch_t watch) {
    compiled_request_t load = *request;
    load.kind = compiled_load;
    load.a = load.b = 0;
    load.order = load.failure_order =
        order_of_load(compares(request) ? request->failure_order : request->order);
    ask(load, watch);
    return changes_nothing(request);
}

// Whether the operation with this hash has already been taken in the polling loop, and has changed nothing.
static int is_known(const rounds_t *rounds, uint64_t hash) {
    for (uint32_t i = 0; i < rounds->update_count; i++) {
        if (rounds->updates[i] == hash) return 1;
    }
    return 0;
}

// Takes a step for an operation that reads and may write. If a polling loop repeats an operation that changes nothing,
// such as a failing compare-exchange, only the first is a step of its own kind. The next ones are loads as long as they
// would change nothing, so that the thread can watch what they read (spins.c).
static int64_t take_update(compiled_request_t request, const uint64_t *entry) {
    rounds_t *rounds = &lab_state->fibers[lab_state->current].rounds;
    uint64_t hash = lab_hash_of_request(&request);
    if (is_known(rounds, hash)) {
        compiled_watch_t watch = lab_watch(&request, entry);
        int is_watched = watch > compiled_in_round;
        if (is_watched && load_suffices(&request, watch)) return 0;
    } else if (rounds->watches) {
        // The operation is new in the round, so the thread does not watch what it has read so far.
        lab_disturb();
    }
    int is_first = !is_known(rounds, hash) && lab_watch(&request, entry) == compiled_in_round;
    rounds_t before = *rounds;
    int64_t answer = ask(request, compiled_no_round);
    if (!is_first || !changes_nothing(&request)) return answer;
    // The step has ended the rounds (spins.c). But it has changed nothing, so they continue.
    *rounds = before;
    if (rounds->update_count == sizeof rounds->updates / sizeof *rounds->updates) rounds->update_count = 0;
    rounds->updates[rounds->update_count++] = hash;
    return answer;
}

// Takes the step of an operation, which the caller performs afterwards. Returns the engine's answer.
static int64_t take_step(compiled_request_t request) {
    if (!lab_runs_program()) return 0;
    const uint64_t *entry = lab_take_entry();
    lab_check_use(request.object, request.size, request.site);
    if (lab_state->unjoined < 2 || (request.kind == compiled_load && lab_repeats_load(&request))) return 0;
    lab_run_before_access(request.site);
    lab_note_atomic((const void *)request.object, request.size, request.kind != compiled_load);
    lab_touch((const void *)request.object, request.site);
    int64_t answer = 0;
    // The value of an operation on 16 bytes is not known (atomics16.c), so it cannot be an update.
    if (request.kind == compiled_load) ask(request, lab_watch(&request, entry)), lab_note_load(&request);
    else if (request.kind == compiled_store || request.size > sizeof request.a) answer = ask(request, compiled_no_round);
    else answer = take_update(request, entry);
    if (request.kind != compiled_load && lab_is_on_stack(request.object)) lab_change_stack(request.object, request.size);
    return answer;
}

// The memory order in C's numbering, without the flags that gcc may set above it. An invalid order counts as the
// strongest, as in compilers.
static uint8_t order_of(int order) {
    enum { NUMBER_MASK = 0x7FFF };
    int number = order & NUMBER_MASK;
    return number <= __ATOMIC_SEQ_CST ? (uint8_t)number : __ATOMIC_SEQ_CST;
}

void lab_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site) {
    take_step((compiled_request_t){
        .kind = kind, .size = size, .object = (uint64_t)memory, .a = a, .b = b, .order = order_of(order),
        .failure_order = order_of(failure_order), .site = site});
}

// MARK: - Weaker orders

// A hash of the calls that led to the operation: of all words of the stack, from this frame on, that are addresses of
// the program's code. The addresses to which the calls return are among them, whether or not functions save frame
// pointers, so different calls have different hashes. The same calls may have several, because other calls have left
// addresses in unused parts of frames. 0: there is no hash, because the thread is on a stack that the program has
// brought, or has used much of its own.
static uint64_t way_to(const void *frame) {
    enum { MOST_WORDS = 1 << 12 };
    uint64_t way = 0, rest = (uint64_t)lab_state->fibers[lab_state->current].stack + STACK - (uint64_t)frame;
    if (rest > MOST_WORDS * sizeof way) return 0;
    for (const uint64_t *word = frame; (uint64_t)word < (uint64_t)frame + rest; word++) {
        if (lab_is_program_code(*word)) way = (way ^ *word) * COMPILED_HASH_FACTOR;
    }
    return way ? way : 1;
}

static int is_weak(int order) { return order_of(order) != __ATOMIC_SEQ_CST; }

int64_t lab_own_atomic_step(
    compiled_kind_t kind, uint32_t size, const volatile void *memory, int64_t a, int64_t b, int order, int failure_order, uint64_t site,
    const void *frame) {
    compiled_request_t request = {
        .kind = kind, .size = size, .object = (uint64_t)memory, .a = a, .b = b, .order = order_of(order),
        .failure_order = order_of(failure_order), .site = site};
    int is_step = lab_runs_program() && lab_state->unjoined > 1;
    if (is_step && (is_weak(order) || is_weak(failure_order))) request.detail = 1, request.mutex = way_to(frame);
    return take_step(request);
}

// The operations have the strongest order, whatever the program asks for: on real threads that is allowed, and under
// the engine only one thread runs at a time.
//
// bits, type: the size in bits, and the integer type of that size. kind, operand: the request, and what it needs (a).
#define UPDATE(bits, type, name, kind, operand) \
    EXPORTED type __tsan_atomic##bits##_##name(volatile type *memory, type value, int order) { \
        ENTER_READ(); \
        lab_own_atomic_step(kind, sizeof(type), memory, operand, 0, order, order, SITE, FRAME); \
        return __atomic_##name(memory, value, __ATOMIC_SEQ_CST); \
    }

// The functions compare_exchange_strong and compare_exchange_weak. clang calls neither, but compare_exchange_val, which
// returns the value that was found, and which here never fails spuriously, even for a weak compare-exchange.
#define EXCHANGE(bits, type, name, kind) \
    EXPORTED int __tsan_atomic##bits##_compare_exchange_##name( \
        volatile type *memory, type *expected, type value, int order, int failure_order) { \
        ENTER_READ(); \
        int64_t answer = lab_own_atomic_step(kind, sizeof(type), memory, *expected, value, order, failure_order, SITE, FRAME); \
        if (kind == compiled_weak_compare_exchange && answer) { \
            *expected = __atomic_load_n(memory, __ATOMIC_SEQ_CST); \
            return 0; \
        } \
        return __atomic_compare_exchange_n(memory, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }

#define ATOMICS(bits, type) \
    EXPORTED type __tsan_atomic##bits##_load(const volatile type *memory, int order) { \
        ENTER_READ(); \
        lab_own_atomic_step(compiled_load, sizeof(type), memory, 0, 0, order, order, SITE, FRAME); \
        return __atomic_load_n(memory, __ATOMIC_SEQ_CST); \
    } \
    EXPORTED void __tsan_atomic##bits##_store(volatile type *memory, type value, int order) { \
        lab_own_atomic_step(compiled_store, sizeof(type), memory, value, 0, order, order, SITE, FRAME); \
        __atomic_store_n(memory, value, __ATOMIC_SEQ_CST); \
    } \
    EXPORTED type __tsan_atomic##bits##_exchange(volatile type *memory, type value, int order) { \
        ENTER_READ(); \
        lab_own_atomic_step(compiled_exchange, sizeof(type), memory, value, 0, order, order, SITE, FRAME); \
        return __atomic_exchange_n(memory, value, __ATOMIC_SEQ_CST); \
    } \
    UPDATE(bits, type, fetch_add, compiled_add, value) \
    UPDATE(bits, type, fetch_sub, compiled_add, (type)-value) \
    UPDATE(bits, type, fetch_and, compiled_and, value) \
    UPDATE(bits, type, fetch_or, compiled_or, value) \
    UPDATE(bits, type, fetch_xor, compiled_xor, value) \
    EXPORTED type __tsan_atomic##bits##_fetch_nand(volatile type *memory, type value, int order) { \
        /* An exchange for the machine. Its operand follows from the value before the step, which may change until then; */ \
        /* so the machine reads afterwards what was stored. */ \
        lab_own_atomic_step(compiled_exchange, sizeof(type), memory, ~(*memory & value), 0, order, order, SITE, FRAME); \
        return __atomic_fetch_nand(memory, value, __ATOMIC_SEQ_CST); \
    } \
    EXCHANGE(bits, type, strong, compiled_compare_exchange) \
    EXCHANGE(bits, type, weak, compiled_weak_compare_exchange) \
    EXPORTED type __tsan_atomic##bits##_compare_exchange_val( \
        volatile type *memory, type expected, type value, int order, int failure_order) { \
        ENTER_READ(); \
        lab_own_atomic_step( \
            compiled_compare_exchange, sizeof(type), memory, expected, value, order, failure_order, SITE, FRAME); \
        __atomic_compare_exchange_n(memory, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected; \
    }

ATOMICS(8, int8_t)
ATOMICS(16, int16_t)
ATOMICS(32, int32_t)
ATOMICS(64, int64_t)

EXPORTED void __tsan_atomic_thread_fence(int order) {
    if (is_controlled() && lab_state->unjoined > 1) {
        compiled_request_t request = {.kind = compiled_fence, .order = order_of(order), .failure_order = order_of(order), .site = SITE};
        if (is_weak(order)) request.detail = 1, request.mutex = way_to(FRAME);
        lab_ask(request);
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

EXPORTED void __tsan_atomic_signal_fence(int order) { (void)order; }

#endif
