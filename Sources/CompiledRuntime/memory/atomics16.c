// Atomic operations on 16 bytes. The engine's values have 8 bytes, so each operation is a step that reads or writes all
// 16 bytes, without a value.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

typedef __int128 wide_t;

// Stores the value if the memory holds what is expected. Returns what the memory held. The compiler's own operation
// would call a library.
static wide_t exchange_if(volatile wide_t *memory, wide_t expected, wide_t value) {
    uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
    __asm__ volatile("lock cmpxchg16b %2"
                     : "+a"(low), "+d"(high), "+m"(*memory)
                     : "b"((uint64_t)value), "c"((uint64_t)(value >> 64))
                     : "cc", "memory");
    return (wide_t)((unsigned __int128)high << 64 | low);
}

// Loads by an exchange, because on processors without AVX no other instruction is guaranteed to read 16 bytes at once.
// The exchange needs writable memory, so a load of constant data causes a fault, with the engine and without it.
static wide_t load(const volatile wide_t *memory) { return exchange_if((volatile wide_t *)memory, 0, 0); }

// Stores the value. Returns what the memory held.
static wide_t put(volatile wide_t *memory, wide_t value) {
    wide_t before = *memory, found;
    while ((found = exchange_if(memory, before, value)) != before) before = found;
    return before;
}

// Takes the step of an operation on this memory, which the caller performs afterwards.
#define STEP(kind, memory, order, failure_order) \
    lab_own_atomic_step(kind, sizeof *(memory), memory, /* a, b: without a value */ 0, 0, order, failure_order, SITE, FRAME)

EXPORTED wide_t __tsan_atomic128_load(const volatile wide_t *memory, int order) {
    // Only in a load, because a polling loop ends at any other operation on 16 bytes (take_step).
    ENTER_READ();
    STEP(compiled_load, memory, order, order);
    return load(memory);
}

EXPORTED void __tsan_atomic128_store(volatile wide_t *memory, wide_t value, int order) {
    STEP(compiled_store, memory, order, order);
    put(memory, value);
}

EXPORTED wide_t __tsan_atomic128_exchange(volatile wide_t *memory, wide_t value, int order) {
    STEP(compiled_exchange, memory, order, order);
    return put(memory, value);
}

// Defines the operation `name`, which returns the old value. new_value: an expression for what the memory holds
// afterwards. In it, `before` is the old value, and `value` the operation's argument.
#define UPDATE(name, new_value) \
    EXPORTED wide_t __tsan_atomic128_##name(volatile wide_t *memory, wide_t value, int order) { \
        STEP(compiled_exchange, memory, order, order); \
        wide_t before = *memory, found; \
        while ((found = exchange_if(memory, before, new_value)) != before) before = found; \
        return before; \
    }
UPDATE(fetch_add, (wide_t)((unsigned __int128)before + (unsigned __int128)value))
UPDATE(fetch_sub, (wide_t)((unsigned __int128)before - (unsigned __int128)value))
UPDATE(fetch_and, before & value)
UPDATE(fetch_or, before | value)
UPDATE(fetch_xor, before ^ value)
UPDATE(fetch_nand, ~(before & value))

// The functions compare_exchange_strong and compare_exchange_weak, which here does not fail spuriously.
#define EXCHANGE(name) \
    EXPORTED int __tsan_atomic128_compare_exchange_##name( \
        volatile wide_t *memory, wide_t *expected, wide_t value, int order, int failure_order) { \
        wide_t wanted = *expected; \
        STEP(compiled_compare_exchange, memory, order, failure_order); \
        wide_t found = exchange_if(memory, wanted, value); \
        *expected = found; \
        return found == wanted; \
    }
EXCHANGE(strong)
EXCHANGE(weak)

EXPORTED wide_t __tsan_atomic128_compare_exchange_val(
    volatile wide_t *memory, wide_t expected, wide_t value, int order, int failure_order) {
    STEP(compiled_compare_exchange, memory, order, failure_order);
    return exchange_if(memory, expected, value);
}

#endif
