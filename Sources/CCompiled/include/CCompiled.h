// The interface between a compiled program's runtime and the engine, which run in the same process.
//
// The runtime (CompiledRuntime, in C) owns the program's threads, which are fibers, its memory and its heap. The engine
// (CompiledExecution, in Swift) makes every decision: it lets one thread run until that thread makes its next request.
//
// An execution is one run of the program, from the beginning of main to its end. A search runs many executions, each in
// another order of steps. Before a search, executions learn which accesses to memory have to be steps: those with which
// several threads reach the same memory.
#pragma once

#include <stdint.h>

// Must change whenever the interface below does: a program that was built with another version is refused.
#define COMPILED_VERSION 16

// The requests that a thread can make. The C enumeration and the engine's table of operations are both generated from
// this table, so it is the only list of requests. Below, a and b are fields of compiled_request_t.
//   STEP(request, operation, subject): a step. The machine performs this operation (Operation.Kind in Swift) on this kind
//     of subject, which decides what the request's other fields mean (RequestTable.Subject in Swift).
//   NOTE(request): not a step. The engine handles it at once, and the thread continues.
//   END(request): ends the thread or the execution.
#define COMPILED_REQUESTS(STEP, NOTE, END) \
    STEP(lock, lock, mutex) \
    STEP(try_lock, tryLock, mutex) \
    STEP(lock_until, lockUntil, mutex) \
    STEP(unlock, unlock, mutex) \
    STEP(wait, wait, waiting) \
    STEP(signal, signal, condition) \
    STEP(broadcast, broadcast, condition) \
    STEP(semaphore_wait, semaphoreWait, semaphore) \
    STEP(semaphore_try_wait, semaphoreTryWait, semaphore) \
    STEP(semaphore_wait_until, semaphoreWaitUntil, semaphore) \
    STEP(semaphore_signal, semaphoreSignal, semaphore) \
    STEP(semaphore_value, semaphoreValue, semaphore) \
    STEP(read_lock, readLock, shared_lock) \
    STEP(try_read_lock, tryReadLock, shared_lock) \
    STEP(read_lock_until, readLockUntil, shared_lock) \
    STEP(write_lock, writeLock, shared_lock) \
    STEP(try_write_lock, tryWriteLock, shared_lock) \
    STEP(write_lock_until, writeLockUntil, shared_lock) \
    STEP(unlock_shared, unlockShared, shared_lock) \
    STEP(spawn, spawn, nothing) \
    STEP(join, join, number) \
    STEP(try_join, tryJoin, number) \
    STEP(join_until, joinUntil, number) \
    STEP(detach, detach, number) \
    STEP(yield, yield, nothing) \
    STEP(sleep, sleepUntil, number) \
    STEP(exit, exit, nothing) \
    STEP(read, read, plain) \
    STEP(write, write, plain) \
    STEP(load, load, atomic) \
    STEP(store, store, atomic) \
    STEP(exchange, exchange, atomic) \
    STEP(add, add, atomic) \
    STEP(and, bitAnd, atomic) \
    STEP(or, bitOr, atomic) \
    STEP(xor, bitXor, atomic) \
    STEP(compare_exchange, compareExchange, atomic) \
    /* Answers 1 if it fails spuriously, otherwise 0. */ \
    STEP(weak_compare_exchange, weakCompareExchange, atomic) \
    STEP(fence, fence, fence) \
    STEP(read_clock, readClock, nothing) \
    /* Answers a number from 0 to a - 1, which the scheduler chooses. */ \
    STEP(choose, choose, number) \
    STEP(destroy, destroy, any) \
    /* An object was initialized at the address. a: a semaphore's value. b: whether there are other threads. */ \
    NOTE(forget) \
    /* The heap block at the address was allocated or freed. Made only in recorded executions (has_calls). */ \
    NOTE(allocated) \
    NOTE(freed) \
    /* The thread has ended. */ \
    END(ended) \
    /* An assertion of the program failed, or `text` describes another failure. */ \
    END(assertion) \
    END(failure) \
    /* Memory is used that was freed, held a variable that is gone, or is in no block. */ \
    END(use_after_free) \
    /* A block that was freed is freed again. */ \
    END(double_free) \
    /* An address is freed at which no block begins. */ \
    END(invalid_free) \
    /* A lock, condition, semaphore or barrier is used that was destroyed or never initialized. */ \
    END(use_unmade) \
    /* A signal that ends the process. a: its number. detail: its compiled_fault_t. */ \
    END(crash) \
    /* The program does what threadlab does not support, or exceeds a limit of threadlab's: `text` says what. */ \
    END(unsupported)

#define COMPILED_CASE(request, ...) compiled_##request,
typedef enum { COMPILED_REQUESTS(COMPILED_CASE, COMPILED_CASE, COMPILED_CASE) compiled_kind_count } compiled_kind_t;
#undef COMPILED_CASE

// How the engine treats a request.
typedef enum { compiled_is_step, compiled_is_note, compiled_is_end, compiled_is_unknown } compiled_role_t;
typedef struct {
    compiled_role_t role;
    // For a step, the names of the machine's operation and of its subject; otherwise null.
    const char *operation, *subject;
} compiled_meaning_t;

// Looks up a request in the table.
static inline compiled_meaning_t compiled_meaning(compiled_kind_t kind) {
#define COMPILED_STEP_CASE(request, operation, subject) \
    case compiled_##request: return (compiled_meaning_t){compiled_is_step, #operation, #subject};
#define COMPILED_NOTE_CASE(request) case compiled_##request: return (compiled_meaning_t){compiled_is_note, 0, 0};
#define COMPILED_END_CASE(request) case compiled_##request: return (compiled_meaning_t){compiled_is_end, 0, 0};
    switch (kind) {
        COMPILED_REQUESTS(COMPILED_STEP_CASE, COMPILED_NOTE_CASE, COMPILED_END_CASE)
        case compiled_kind_count: break;
    }
#undef COMPILED_STEP_CASE
#undef COMPILED_NOTE_CASE
#undef COMPILED_END_CASE
    return (compiled_meaning_t){compiled_is_unknown, 0, 0};
}

// The kind of the object that a request is on (compiled_request_t.detail).
typedef enum {
    // Mutexes.
    compiled_normal_mutex,
    compiled_error_checking_mutex,
    compiled_recursive_mutex,
    // Other objects of the program.
    compiled_of_condition,
    compiled_of_semaphore,
    compiled_of_shared_lock,
    // A read-write lock whose waiting writers keep new readers out.
    compiled_of_writers_lock,
    // The runtime's own lock or condition inside another object, such as a barrier or a once control.
    compiled_part,
    // The runtime's own lock or wait queue for a word of memory at which threads wait (a futex).
    compiled_futex,
} compiled_object_t;

// The part that a read plays in a polling loop, in which its thread does nothing but read. A round is one pass through
// the loop. The thread watches what it reads in a round, so that it can wait for a write instead of repeating the round
// (spins.c).
typedef enum {
    // Not in such a loop.
    compiled_no_round,
    // Possibly in such a loop.
    compiled_in_round,
    // A round begins with this read, which is the first that the thread watches.
    compiled_watch_first,
    // A later read of the round. The thread watches it, too.
    compiled_watch_further,
    // The thread has come back to the beginning of the round in the same state. It continues only when something that
    // it watches has been written.
    compiled_watch_again,
} compiled_watch_t;

// What a plain write means (compiled_request_t.detail).
typedef enum {
    compiled_stores,
    // The memory is about to be freed.
    compiled_frees,
    // The memory is about to be unmapped.
    compiled_unmaps,
} compiled_write_t;

// How the code has used memory when it causes a crash (compiled_request_t.detail). compiled_request_t.object is then the
// address.
typedef enum {
    // The signal is not one of a wrong access.
    compiled_no_fault,
    // An access that may be a read or a write.
    compiled_bad_use,
    compiled_bad_read,
    compiled_bad_write,
    // A call or a jump: no code is at the address.
    compiled_bad_call,
    // The processor refuses the address, which it does not tell: it has bits that no address can have.
    compiled_impossible_address,
} compiled_fault_t;

// A deadline that never comes.
#define COMPILED_NEVER INT64_MAX

// A bit that is set in the address of a lock or condition that the runtime keeps beside an object of the program. The
// other bits are the object's address. The runtime's lock is not in the object's memory, so it outlives that memory,
// which may be freed while threads are about to leave the lock.
#define COMPILED_BESIDE ((uint64_t)1 << 56)

typedef struct {
    compiled_kind_t kind;
    // Lock or other object: its compiled_object_t. Semaphore, unless it is made or destroyed: its permits, with which
    // the engine begins if it does not know the semaphore. Use of a local variable that is gone: 1 if its function has
    // returned, 0 if its thread has ended. Atomic operation or fence: 1 if the program's own code asks for an order
    // weaker than sequential consistency. Plain write: its compiled_write_t. Crash: its compiled_fault_t.
    uint32_t detail;
    // Atomic operation or fence: C's memory orders (__ATOMIC_...) for success and for failure.
    uint8_t order, failure_order;
    // Read or load: its compiled_watch_t.
    uint8_t watch;
    // object: the object's address; for a new thread, its function. mutex: for a wait, the mutex's address; for a new
    // thread, its argument; for an atomic operation or fence whose `detail` is 1, a hash of the calls that led to it,
    // or 0 if there is none.
    uint64_t object, mutex;
    // Access to memory: the number of bytes. Another object: 1 if the step also uses the object's memory, because that
    // can be freed or is on another thread's stack; otherwise 0.
    uint64_t size;
    // a: what the request needs besides the object, such as a value, a thread's number, or for an unlock the mark that
    // it leaves on a robust mutex (Machine's ObjectState.Mark), or for a wait at a barrier for how many threads. b: a deadline in nanoseconds of the virtual clock, or
    // the value that a compare-exchange stores.
    int64_t a, b;
    // The code that makes the request: the address to which its call returns.
    uint64_t site;
    // Failure: its message, and the place in the source that the program names; null if there is none. Crash by an
    // exception of C++ that nothing catches: the mangled name of its type and, if it has one, a line break and its text.
    // Object outside
    // the program's memory: its name for reports. A text that ends with " of", such as "stack of", is followed by the
    // name of the thread with the number `line`; another one, such as "pipe", by that number, unless it ends with "()".
    const char *text, *file;
    uint32_t line;
} compiled_request_t;

// A granule is eight bytes of memory at a multiple of eight. An entry of the table (`granules` below) notes at which
// bytes of a granule accesses begin and end: the parts between these borders are separate objects for the engine.
#define COMPILED_GRANULE 8
typedef struct {
    // The granule's address divided by eight. 0: the entry is free.
    uint64_t number;
    // Bit 0: the granule was accessed. Bit i from 1 to 7: an access began at byte i, or ended before it. `learned` is
    // noted while steps are learned, and does not change during a search. `seen` is noted at any time.
    uint8_t learned, seen;
} compiled_granule_t;

// A step that spans more granules than this counts only for those that were learned, and for the first and the last.
#define COMPILED_MOST_GRANULES 64

// What executions have done that prevents a proof, because the schedule alone did not decide the outcome, or because
// the runtime could not follow it. compiled_program_t.notes has a byte for each, which is nonzero if it has happened.
typedef enum {
    // A step spanned more than COMPILED_MOST_GRANULES granules.
    compiled_on_many,
    // A step was on a granule that was not learned.
    compiled_on_unlearned,
    // A table of accesses was full.
    compiled_overflow,
    // An atomic operation was on a part of memory that other accesses use as a whole, and the division was not learned;
    // or a compare-exchange was on memory that other accesses use in parts.
    compiled_atomic_in_parts,
    // The code of a library has released memory that other threads have used.
    compiled_released_by_library,
    // A round of a polling loop was not like the one before, although nothing that the thread watches had changed.
    compiled_rounds_differ,
    // There was no room to note another place with a weaker order.
    compiled_many_orders,
    compiled_note_count,
} compiled_note_t;

#define COMPILED_MOST_CALLS 12
// An atomic operation or fence with an order weaker than sequential consistency: the return addresses of the calls that
// led to it, innermost first, and the memory that it was on (0 for a fence).
typedef struct {
    uint32_t count;
    uint64_t calls[COMPILED_MOST_CALLS];
    uint64_t object;
} compiled_order_t;
#define COMPILED_MOST_ORDERS 256

#define COMPILED_NAME_SIZE 64
// The first occurrence of each of these in an execution of any process. Shared by all processes.
typedef struct {
    // The function that a search, or code before main, has called although more than the schedule decides what it does.
    // Empty: none.
    char called[COMPILED_NAME_SIZE];
    // The function whose effect outlasts an execution, and the code that called it.
    char lasting[COMPILED_NAME_SIZE];
    uint64_t lasting_site;
    // The code that used a lock, condition or semaphore that may not have been initialized. 0: none.
    uint64_t unmade_site;
    // The number of orders noted, by several processes at once. It can exceed the size of the array.
    uint32_t order_count;
    compiled_order_t orders[COMPILED_MOST_ORDERS];
} compiled_firsts_t;

// A file with instrumented code, which calls the runtime at each access to memory: the program's own, or a library that
// was compiled in the same way. If the runtime itself is a library, it has an entry, too.
typedef struct {
    // The file's code in memory, and the place of its first byte (a place is the number of a byte of code:
    // shared_places).
    uint64_t start, size, first_place;
    // The difference between an address in memory and the same address in the file.
    uint64_t load_offset;
    // The path as the loader reports it. For the program itself, it is /proc/self/exe.
    const char *path;
    int is_runtime;
    // How far below each thread pointer the file's thread-local variables begin. 0: it has none there.
    uint64_t variables;
} compiled_file_t;
#define COMPILED_MOST_FILES 64

// A lost block of the heap: it was not freed, and nothing points to it. `site` is the code that allocated it.
typedef struct {
    uint64_t address, size, site;
} compiled_lost_t;

// A frame of a stack. address: where its function continues. stack, base: its stack pointer and base pointer (rsp and
// rbp). end: its end, which debuggers use as its address (CFA). The frame reaches from `stack` up to `end`.
typedef struct {
    uint64_t address, stack, base, end;
    // The other registers that functions keep for their callers.
    uint64_t rbx, r12, r13, r14, r15;
} compiled_frame_t;

// The program as the engine sees it: what both share, and functions that the runtime offers (LAB_OFFER). Only one OS
// thread uses it.
typedef struct {
    uint32_t version;
    // The maximum number of threads in an execution, including the main thread.
    uint32_t most_threads;
    // The virtual clock in nanoseconds. The engine sets it.
    int64_t now;
    // The program's own file comes first, then libraries.
    compiled_file_t files[COMPILED_MOST_FILES];
    uint32_t file_count;
    // For each byte of code in these files, a byte with the bits below. A place is an index into this array. Shared
    // with forked processes. A bit at the first byte of certain functions is a fact about the program (facts.c).
#define COMPILED_STEP 1   // an access by the code at this place is a step
#define COMPILED_MISSED 2 // it should be a step, as an execution of a search has shown
    uint64_t place_count;
    uint8_t *shared_places;
    // By thread: how deep in its stack, in bytes from the top, other threads were seen to use variables while steps
    // were learned, or before the last call of take_missed. Shared with forked processes.
#define COMPILED_STACK (8 << 20)
    uint32_t *stack_depths;
    // A hash table of granules with open addressing, whose capacity is a power of two, and a byte for each
    // compiled_note_t. All of these are shared with forked processes.
    compiled_granule_t *granules;
    uint64_t granule_capacity;
    uint8_t *notes;
    compiled_firsts_t *firsts;
    // Set by the engine: whether the execution is recorded. The runtime then reports which calls allocate and free
    // memory.
    int has_calls;
    // Set by the engine: whether the effects of all code that the program calls are known, so that a thread's state and
    // what it reads determine its next round (spins.c).
    int is_known;
    // Set by the engine: whether a sleep may end at any moment. Then a polling loop may contain sleeps.
    int has_free_time;
    // Grows with each place, stack depth and object that is newly noted: if it has not grown, an execution has taught
    // nothing.
    uint64_t knowledge;
    // Begins an execution. The first call also remembers the memory with which all executions begin. learns: whether
    // the execution learns which accesses are steps of later executions.
    void (*begin)(int learns);
    // Gives the thread the result of its last request, and lets it run up to its next request, which is returned.
    compiled_request_t *(*resume)(uint32_t thread, int64_t result);
    // Ends an execution: restores the program's memory.
    void (*end)(void);
    // After a search: makes steps of the places marked COMPILED_MISSED, and counts as learned the stack depths and the
    // divisions of granules that the search has noted. To be called while no process runs an execution. Returns
    // whether anything was new.
    int (*take_missed)(void);
    // Tells the runtime that the thread's reads are not watched, so the thread does not wait before its next round.
    void (*disturb)(uint32_t thread);
    // Notes that a round was not like the one before. From the next execution on if this one learns, otherwise from the
    // next search on, no thread waits before a round.
    void (*stop_watching)(void);
    // Ends the process by the signal.
    void (*die)(int number);
    // The value of `size` bytes of memory. Sizes of 1, 2 and 4 bytes are sign-extended.
    int64_t (*peek)(uint64_t address, uint32_t size);
    // Reads eight bytes at any address. Returns false if there is no memory that can be read.
    int (*read_word)(uint64_t address, uint64_t *word);
    // Finds the heap block that contains the address, and the code that allocated it. Returns false if no block
    // contains the address.
    int (*block)(uint64_t address, uint64_t *start, uint64_t *size, uint64_t *site);
    // Lists the return addresses of the calls in progress, innermost first, of a thread that waits for the engine.
    // Returns their number.
    uint32_t (*calls)(uint32_t thread, uint64_t *addresses, uint32_t most);
    // For an address on the stack of a thread that waits for the engine: frames[1] becomes the frame that contains the
    // address, and frames[0] the frame that it has called (its `address` is 0 if there is none). Returns the thread, or
    // -1 if no frame contains the address.
    int (*frames)(uint64_t address, compiled_frame_t frames[2]);
    // Lists the frames of the program's functions, innermost first, of a thread that waits for the engine. Returns their
    // number.
    uint32_t (*stack)(uint32_t thread, compiled_frame_t *frames, uint32_t most);
    // For an address of a thread-local variable: sets `*pointer` to the thread pointer of its thread, and returns the
    // thread, or -1 if it is another address.
    int (*owner)(uint64_t address, uint64_t *pointer);
    // Whether an execution of any process has loaded libraries that should be loaded before all executions.
    int (*has_libraries)(void);
    // If so, starts this process again; it then loads these libraries first. Returns if there are none or if that is
    // not possible. To be called before the first execution.
    void (*keep_libraries)(void);
    // Lists up to `most` lost blocks by address: those that no other lost block points to and, of a cycle, its first
    // block. Sets `*others` to the number of the remaining lost blocks. Returns the number of blocks to list, which may
    // exceed `most`. To be called when the execution is over, before `end`.
    uint32_t (*lost)(compiled_lost_t *found, uint32_t most, uint32_t *others);
} compiled_program_t;

// The result of compiled_place if there is none.
#define COMPILED_NO_PLACE UINT64_MAX

// Adds the order unless one with the same calls is there already. Returns 0 if there is no room.
static inline int compiled_add_order(compiled_firsts_t *firsts, const compiled_order_t *order) {
    uint32_t count = __atomic_load_n(&firsts->order_count, __ATOMIC_ACQUIRE);
    if (count > COMPILED_MOST_ORDERS) count = COMPILED_MOST_ORDERS;
    for (uint32_t i = 0; i < count; i++) {
        const compiled_order_t *other = &firsts->orders[i];
        uint32_t same = 0;
        while (same < order->count && other->calls[same] == order->calls[same]) same++;
        if (other->count == order->count && same == order->count) return 1;
    }
    // Another process may add the same order at the same time. Reports show it only once.
    uint32_t number = __atomic_fetch_add(&firsts->order_count, 1, __ATOMIC_ACQ_REL);
    if (number >= COMPILED_MOST_ORDERS) return 0;
    firsts->orders[number] = *order;
    return 1;
}

// The place of the code at this address, or COMPILED_NO_PLACE if the address is in none of the files.
static inline uint64_t compiled_place(const compiled_program_t *program, uint64_t address) {
    for (uint32_t i = 0; i < program->file_count; i++) {
        uint64_t distance = address - program->files[i].start;
        if (distance < program->files[i].size) return program->files[i].first_place + distance;
    }
    return COMPILED_NO_PLACE;
}

// The multiplier of hashes: 2^64 divided by the golden ratio (Fibonacci hashing). The upper bits of a product depend on
// all bits of the number that is multiplied.
#define COMPILED_HASH_FACTOR 0x9E3779B97F4A7C15u

// How many entries, one after the other, are tried for a granule.
#define COMPILED_MOST_PROBES 64

// The granule's entry, or the free entry where it belongs, or null if there is no room for it.
static inline compiled_granule_t *compiled_granule(const compiled_program_t *program, uint64_t number) {
    uint64_t first = (number * COMPILED_HASH_FACTOR) >> 32;
    for (uint64_t probe = 0; probe < COMPILED_MOST_PROBES; probe++) {
        compiled_granule_t *entry = &program->granules[(first + probe) & (program->granule_capacity - 1)];
        uint64_t found = __atomic_load_n(&entry->number, __ATOMIC_RELAXED);
        if (found == number || found == 0) return entry;
    }
    return 0;
}

// The engine's entry point: runs a command, and exits the process. words: the command line, with the length of each
// word in front of it, such as "7:explore5:./app".
#define COMPILED_ENTRY "threadlab_engine_main"
typedef void (*compiled_entry_t)(compiled_program_t *program, const char *words);

// From the C++ library: converts a mangled name to C++, in allocated memory. Returns null if it is not a mangled name.
char *__cxa_demangle(const char *name, char *buffer, unsigned long *size, int *status);

// Environment variables by which the tool starts a program under the engine: the path of the engine's library, and the
// tool's command line.
#define COMPILED_ENGINE_VARIABLE "THREADLAB_ENGINE"
#define COMPILED_WORDS_VARIABLE "THREADLAB_WORDS"
// The program's own LD_PRELOAD, if the tool has used that variable to load the runtime.
#define COMPILED_PRELOAD_VARIABLE "THREADLAB_PRELOAD"
// Set by the runtime when it starts the process again: the program's constructors are then part of each execution.
#define COMPILED_CONSTRUCTORS_VARIABLE "THREADLAB_CONSTRUCTORS"
// Set by the runtime when it starts the process again: the libraries to load before all executions.
#define COMPILED_LIBRARIES_VARIABLE "THREADLAB_LIBRARIES"
