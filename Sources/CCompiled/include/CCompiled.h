// What a compiled program and the engine in its process say to each other.
//
// The program's side (CompiledRuntime, in C) owns its threads, which are fibers, its memory and its heap. The engine (CompiledExecution,
// in Swift) owns every decision: it lets one thread continue, which returns with what it asks for next.
#pragma once

#include <stdint.h>

// Changed together with anything else in this file: a program that was built by another version is not run.
#define COMPILED_VERSION 13

// What a thread asks for: the one table of requests. The C type and the engine's table of operations are made from it.
//   STEP(request, operation): a step, which is this operation of the machine (Operation.Kind in Swift).
//   NOTE(request): no step: the thread continues at once.
//   END(request): the thread, or the execution, is over.
#define COMPILED_REQUESTS(STEP, NOTE, END) \
    STEP(lock, lock) \
    STEP(try_lock, tryLock) \
    STEP(lock_until, lockUntil) \
    STEP(unlock, unlock) \
    STEP(wait, wait) \
    STEP(signal, signal) \
    STEP(broadcast, broadcast) \
    STEP(semaphore_wait, semaphoreWait) \
    STEP(semaphore_try_wait, semaphoreTryWait) \
    STEP(semaphore_wait_until, semaphoreWaitUntil) \
    STEP(semaphore_signal, semaphoreSignal) \
    STEP(semaphore_value, semaphoreValue) \
    STEP(read_lock, readLock) \
    STEP(try_read_lock, tryReadLock) \
    STEP(read_lock_until, readLockUntil) \
    STEP(write_lock, writeLock) \
    STEP(try_write_lock, tryWriteLock) \
    STEP(write_lock_until, writeLockUntil) \
    STEP(unlock_shared, unlockShared) \
    STEP(spawn, spawn) \
    STEP(join, join) \
    STEP(try_join, tryJoin) \
    STEP(join_until, joinUntil) \
    STEP(detach, detach) \
    STEP(yield, yield) \
    STEP(sleep, sleepUntil) \
    STEP(exit, exit) \
    STEP(read, read) \
    STEP(write, write) \
    STEP(load, load) \
    STEP(store, store) \
    STEP(exchange, exchange) \
    STEP(add, add) \
    STEP(and, bitAnd) \
    STEP(or, bitOr) \
    STEP(xor, bitXor) \
    STEP(compare_exchange, compareExchange) \
    /* It may fail without a reason: then the answer is 1, and 0 otherwise. */ \
    STEP(weak_compare_exchange, weakCompareExchange) \
    STEP(fence, fence) \
    STEP(read_clock, readClock) \
    /* One of as many numbers as a says, from 0 on. */ \
    STEP(choose, choose) \
    STEP(destroy, destroy) \
    /* The lock, condition or semaphore at the address is as new from here on, with the value a. b: whether other threads exist. */ \
    NOTE(forget) \
    /* Only asked if has_calls: the block of the heap at the address was allocated; was freed. */ \
    NOTE(allocated) \
    NOTE(freed) \
    /* The thread has left its body. */ \
    END(ended) \
    /* An assertion of the program does not hold; the program has reported a failure. */ \
    END(assertion) \
    END(failure) \
    /* Memory is used that was freed; freed twice. */ \
    END(use_after_free) \
    END(double_free) \
    /* A lock, condition, semaphore or barrier is used that was destroyed, or never initialized. */ \
    END(use_unmade) \
    /* A signal that would end the process, a its number: object is the address that the code used. */ \
    END(crash) \
    /* The program does something that cannot be under the scheduler's control. */ \
    END(unsupported)

#define COMPILED_CASE(request, ...) compiled_##request,
typedef enum { COMPILED_REQUESTS(COMPILED_CASE, COMPILED_CASE, COMPILED_CASE) compiled_kind_count } compiled_kind_t;
#undef COMPILED_CASE

// What a request is, for the engine.
typedef enum { compiled_is_step, compiled_is_note, compiled_is_end, compiled_is_unknown } compiled_role_t;
typedef struct {
    compiled_role_t role;
    // Of a step: the name of the machine's operation.
    const char *operation;
} compiled_meaning_t;

static inline compiled_meaning_t compiled_meaning(compiled_kind_t kind) {
#define COMPILED_STEP_CASE(request, operation) case compiled_##request: return (compiled_meaning_t){compiled_is_step, #operation};
#define COMPILED_NOTE_CASE(request) case compiled_##request: return (compiled_meaning_t){compiled_is_note, 0};
#define COMPILED_END_CASE(request) case compiled_##request: return (compiled_meaning_t){compiled_is_end, 0};
    switch (kind) {
        COMPILED_REQUESTS(COMPILED_STEP_CASE, COMPILED_NOTE_CASE, COMPILED_END_CASE)
        case compiled_kind_count: break;
    }
#undef COMPILED_STEP_CASE
#undef COMPILED_NOTE_CASE
#undef COMPILED_END_CASE
    return (compiled_meaning_t){compiled_is_unknown, 0};
}

typedef enum {
    compiled_normal_mutex,
    compiled_error_checking_mutex,
    compiled_recursive_mutex,
    // What else can be destroyed.
    compiled_of_condition,
    compiled_of_semaphore,
    compiled_of_shared_lock,
    // The same, if a writer that waits keeps readers out.
    compiled_of_writers_lock,
    // The lock or condition that is inside something else: a barrier, a once.
    compiled_part,
    // The lock or the queue of a word of memory at which threads wait.
    compiled_futex,
} compiled_mutex_t;

// What a read is in a loop in which its thread does nothing but read: see spins.c.
typedef enum {
    compiled_no_round,
    // In such a loop, perhaps.
    compiled_in_round,
    // The thread watches what it reads, from here on; this, too.
    compiled_watch_first,
    compiled_watch_further,
    // The round begins again, as the last one did: only if something that it watches has been written.
    compiled_watch_again,
} compiled_watch_t;

#define COMPILED_NEVER INT64_MAX

// Part of the address of a lock or a condition that the runtime has beside what is at the rest of it: it is not in that memory, which may be
// freed while threads are about to leave.
#define COMPILED_BESIDE ((uint64_t)1 << 56)

typedef struct {
    compiled_kind_t kind;
    // Of a lock, its compiled_mutex_t; of a semaphore, its first value; of a use of a local variable that is gone: 1 if its thread has not ended.
    // Of an atomic operation or a fence: 1 if the program's own code asks for it, with an order that is weaker than sequential consistency.
    uint32_t detail;
    // Of an atomic operation: C's memory order, of success and of failure.
    uint8_t order, failure_order;
    // Of a read: its compiled_watch_t.
    uint8_t watch;
    // The address of the object, and for a wait that of its mutex; for a new thread, its function and that function's argument.
    // Where an order is weaker, in place of a mutex: what tells the calls that have led there from others.
    uint64_t object, mutex;
    // Of an access of memory: its bytes. Of another object: 1 if the memory that it is in can be freed, otherwise 0.
    uint64_t size;
    // A value, a thread; of an unlock, the mark that is left on the mutex: Machine's ObjectState.Mark; a deadline in nanoseconds of the virtual clock, or what a compare-exchange stores.
    int64_t a, b;
    // The address of the code that asks.
    uint64_t site;
    // For failures: what the program says, and where its source says that it is. Null: nothing.
    // For what is not in the program's memory: what it is, of the thread with this number.
    const char *text, *file;
    uint32_t line;
} compiled_request_t;

// Eight bytes of memory, at a multiple of eight, that steps have accessed.
#define COMPILED_GRANULE 8
typedef struct {
    // Its address divided by eight; 0: the entry is free.
    uint64_t number;
    // Bit i: an access begins or ends before byte i. Bit 0: there was an access. The first while it is learned what is a step, which
    // does not change during a search; the second at any time.
    uint8_t learned, seen;
} compiled_granule_t;

// Steps on more granules than this are steps on those alone that were learned, and on the first and the last.
#define COMPILED_MOST_GRANULES 64

// What executions have done of which more than the schedule decides the outcome. Each is a byte, which is not 0 if it has happened.
typedef enum {
    // A step was on more than COMPILED_MOST_GRANULES granules; a step was on one that was not learned.
    compiled_on_many,
    compiled_on_unlearned,
    // There was no room to note what accesses do.
    compiled_overflow,
    // An atomic operation was on a part of what others access as a whole, which was not learned; or a compare-exchange on memory that
    // others access in parts.
    compiled_atomic_in_parts,
    // A library has released memory that other threads have used.
    compiled_released_by_library,
    // A round of a thread that only reads was not as the one before.
    compiled_rounds_differ,
    // There was no room to note where atomic operations have weaker orders.
    compiled_many_orders,
    compiled_note_count,
} compiled_note_t;

// An atomic operation, or a fence, with a weaker order: the calls that have led there, the innermost first, and the memory that it was on.
#define COMPILED_MOST_CALLS 12
typedef struct {
    uint32_t count;
    uint64_t calls[COMPILED_MOST_CALLS];
    uint64_t object;
} compiled_order_t;
#define COMPILED_MOST_ORDERS 256

#define COMPILED_NAME_SIZE 64
// What executions have done first, of any process. Shared by all.
typedef struct {
    // The function of which more than the schedule decides what it does, that a search has called; empty: none.
    char called[COMPILED_NAME_SIZE];
    // The one whose effect is not undone after an execution, and the code that has called it.
    char lasting[COMPILED_NAME_SIZE];
    uint64_t lasting_site;
    // The code that has used a lock, a condition or a semaphore of which it is not known whether it was initialized; 0: none.
    uint64_t unmade_site;
    // As many as there are; several processes add to them.
    uint32_t order_count;
    compiled_order_t orders[COMPILED_MOST_ORDERS];
} compiled_firsts_t;

// A file whose code tells of its accesses to memory: the program's, or a library's that was compiled as it was; or the runtime's, if it is a
// library.
typedef struct {
    // Its code in memory, and the number of its first place.
    uint64_t start, size, first_place;
    // What is added to the addresses in the file.
    uint64_t load_offset;
    // As the loader found it.
    const char *path;
    int is_runtime;
} compiled_file_t;
#define COMPILED_MOST_FILES 64

// A block of the heap that is never freed and that nothing points to: its address and size, and the code that allocated it.
typedef struct {
    uint64_t address, size, site;
} compiled_lost_t;

// A call in progress: the address to which it returns, and its stack pointer and base pointer (rsp, rbp). Its part of the stack is from the
// stack pointer to the end, which is what debuggers call its address (CFA).
typedef struct {
    uint64_t address, stack, base, end;
} compiled_frame_t;

// The program, for the engine. One OS thread uses it.
typedef struct {
    uint32_t version;
    // The most threads of an execution, the main thread included.
    uint32_t most_threads;
    // The virtual clock, in nanoseconds, which the engine sets.
    int64_t now;
    // The program's own file, then its libraries'.
    compiled_file_t files[COMPILED_MOST_FILES];
    uint32_t file_count;
    // The bytes of their code, whose accesses to memory may be steps: a byte for each. Shared with processes that are forked. It has these bits:
#define COMPILED_STEP 1   // an access there is a step
#define COMPILED_MISSED 2 // it should be, as an execution has shown that learned nothing
    uint64_t place_count;
    uint8_t *shared_places;
    // By thread: how many bytes from the top of its stack on others were seen to use, while it was learned what is a step, or before
    // take_missed was called. Shared too.
#define COMPILED_STACK (8 << 20)
    uint32_t *stack_depths;
    // Shared as well: granules, in a table with open addressing, whose size is a power of two; and a byte for each compiled_note_t.
    compiled_granule_t *granules;
    uint64_t granule_capacity;
    uint8_t *notes;
    compiled_firsts_t *firsts;
    // Whether the execution is shown, so that it matters by which calls memory was allocated. The engine sets it.
    int has_calls;
    // Whether all that the program calls is known, so that a thread's next round follows from what it is and reads: see spins.c. The engine
    // sets it.
    int is_known;
    // Whether sleeps may end at any moment, so that a round may have some.
    int has_free_time;
    // A number that grows with each place and each depth of a stack that is noted.
    uint64_t knowledge;
    // Begins an execution. The first call of a process remembers the state that all begin in.
    // learns: whether accesses from which two threads reach the same memory are noted as steps of later executions.
    void (*begin)(int learns);
    // Lets the thread continue, whose last request has this result, up to its next request.
    compiled_request_t *(*resume)(uint32_t thread, int64_t result);
    // Ends an execution: puts memory back.
    void (*end)(void);
    // What executions that learned nothing have shown to be steps, and was none in them, becomes a step, and what they have shown of
    // stacks and divisions counts. To be called while no process runs an execution. Returns whether there was anything.
    int (*take_missed)(void);
    // What the thread reads is not watched, so it does not wait in its rounds.
    void (*disturb)(uint32_t thread);
    // Threads wait in no rounds from the next execution on that learns, or of the next search: a round was not as the one before.
    void (*stop_watching)(void);
    // Ends the process by the signal.
    void (*die)(int number);
    // A word for a value in memory, extended by its sign.
    int64_t (*peek)(uint64_t address, uint32_t size);
    // The block of the heap that the address is in, and the code that allocated it. False: it is in none.
    int (*block)(uint64_t address, uint64_t *start, uint64_t *size, uint64_t *site);
    // The calls in progress of a thread that waits for the engine, the innermost first: the addresses to which they return.
    uint32_t (*calls)(uint32_t thread, uint64_t *addresses, uint32_t most);
    // Of a place on the stack of a thread that waits for the engine: the frame that it is in, second, and the one that it has called, first,
    // whose address is 0 if there is none. Returns the thread. -1: it is in none.
    int (*frames)(uint64_t place, compiled_frame_t frames[2]);
    // Whether an execution, of any process, has loaded libraries that should be loaded before all executions.
    int (*has_libraries)(void);
    // Then: begins this process again, which loads them first. Returns if there are none. To be called before the first execution.
    void (*keep_libraries)(void);
    // When the execution is over, and before end: the blocks that are lost, as many as there is room for, in the order of their addresses.
    // others: how many more these lead to. Returns how many there are.
    uint32_t (*lost)(compiled_lost_t *found, uint32_t most, uint32_t *others);
} compiled_program_t;

#define COMPILED_NO_PLACE UINT64_MAX

// Notes it, unless the same calls have been noted before. 0: there is no room.
static inline int compiled_add_order(compiled_firsts_t *firsts, const compiled_order_t *order) {
    uint32_t count = __atomic_load_n(&firsts->order_count, __ATOMIC_ACQUIRE);
    if (count > COMPILED_MOST_ORDERS) count = COMPILED_MOST_ORDERS;
    for (uint32_t i = 0; i < count; i++) {
        const compiled_order_t *other = &firsts->orders[i];
        uint32_t same = 0;
        while (same < order->count && other->calls[same] == order->calls[same]) same++;
        if (other->count == order->count && same == order->count) return 1;
    }
    // Another process may note the same: it is shown once.
    uint32_t number = __atomic_fetch_add(&firsts->order_count, 1, __ATOMIC_ACQ_REL);
    if (number >= COMPILED_MOST_ORDERS) return 0;
    firsts->orders[number] = *order;
    return 1;
}

// The number of the code at the address. COMPILED_NO_PLACE: it is in none of the files.
static inline uint64_t compiled_place(const compiled_program_t *program, uint64_t address) {
    for (uint32_t i = 0; i < program->file_count; i++) {
        uint64_t distance = address - program->files[i].start;
        if (distance < program->files[i].size) return program->files[i].first_place + distance;
    }
    return COMPILED_NO_PLACE;
}

// The entry of the granule with this number, or the free one where it belongs. Null: the table has no room for it.
static inline compiled_granule_t *compiled_granule(const compiled_program_t *program, uint64_t number) {
    uint64_t place = (number * 0x9E3779B97F4A7C15u) >> 32;
    for (uint64_t probe = 0; probe < 64; probe++) {
        compiled_granule_t *entry = &program->granules[(place + probe) & (program->granule_capacity - 1)];
        uint64_t there = __atomic_load_n(&entry->number, __ATOMIC_RELAXED);
        if (there == number || there == 0) return entry;
    }
    return 0;
}

// The engine's entry: runs a command, and exits the process.
// words: the command line, as text that has the length of each word before it: "7:explore5:./app".
#define COMPILED_ENTRY "threadlab_engine_main"
typedef void (*compiled_entry_t)(compiled_program_t *program, const char *words);

// The C++ library's: a linker's name as C++ writes it, allocated. Null: it is not one of C++.
char *__cxa_demangle(const char *name, char *buffer, unsigned long *size, int *status);

// How the tool tells a program that it starts to run under the engine; and its command line.
#define COMPILED_ENGINE_VARIABLE "THREADLAB_ENGINE"
#define COMPILED_WORDS_VARIABLE "THREADLAB_WORDS"
// And LD_PRELOAD as it was, if the runtime is loaded by it.
#define COMPILED_PRELOAD_VARIABLE "THREADLAB_PRELOAD"
// Set by the program itself: its constructors are a part of each execution.
#define COMPILED_CONSTRUCTORS_VARIABLE "THREADLAB_CONSTRUCTORS"
// Set by the program itself, too: the libraries that its executions load.
#define COMPILED_LIBRARIES_VARIABLE "THREADLAB_LIBRARIES"
