// The runtime's data about each of the program's threads. A thread is a fiber: a stack to which the engine's OS thread
// switches.
#pragma once

#include "CCompiled.h"
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MOST_THREADS = 256,
    // The maximum number of keys of thread-specific data, as in the C library.
    MOST_KEYS = 1024,
    // The runtime's keys have numbers from this on. Lower numbers are keys of the C library.
    FIRST_KEY = 1 << 20,
    PAGE = 4096,
    STACK = COMPILED_STACK,
    // Descriptors from this number on are not followed.
    MOST_FILES = 1024,
    // Channels (channel_t) are numbered from 1, so there are at most 1023.
    MOST_CHANNELS = 1024,
};

// A place where threads wait: a lock and a condition of the runtime, both with this address. The runtime builds
// barriers, channels and interruptible waits from them. site: the program's code that uses the place now.
typedef struct {
    const volatile void *address;
    uint64_t site;
    // Whether the program waits for a condition of its own here, or at a word of memory (a futex).
    int is_condition, is_futex;
    // For a place beside an object of the program (COMPILED_BESIDE): whether a step here counts as a use of the object,
    // too.
    int is_use;
    // For a place outside the program's memory: its name for reports, as in compiled_request_t. thread: the number that
    // belongs to the text (`line` there).
    const char *text;
    int thread;
    // For how many threads a barrier waits. 0: it is no barrier.
    unsigned parties;
} lab_place_t;

// What a thread was asked for: cancellation, perhaps by itself, or the handling of a signal.
typedef struct {
    // Bit 0, LAB_CANCELLED: the thread was cancelled. The bits above: how often another thread had a signal for it, in
    // units of LAB_SIGNAL. Read and written only in steps.
#define LAB_CANCELLED 1
#define LAB_SIGNAL 2
    uint64_t requests;
    // known: the requests that the thread has read in its last step on them. seen: what `known` was when the thread
    // last looked for signals.
    uint64_t known, seen;
    // The thread's cancellation state and type.
    int is_disabled, is_asynchronous;
    // Where the thread waits, if others can interrupt the wait; otherwise its address is null. is_point: whether the
    // wait is a cancellation point.
    lab_place_t place;
    int is_point;
    // interrupters: how many threads are about to take the lock of that place to interrupt the wait. interruptions: the
    // kinds of requests for which others have interrupted it (LAB_CANCELLED, LAB_SIGNAL).
    int interrupters, interruptions;
    // For a wait on a condition: whether another thread has woken all threads at the place. If not, and if nothing else
    // has ended the wait, the wake-up was spurious (conditions.c).
    int is_disturbed;
} cancellation_t;

// A word of a thread's stack, and the bits in it that other threads have written.
typedef struct {
    uint64_t *word, bits;
} foreign_t;

// What a thread has done since it last changed something, by which the runtime recognizes polling loops (spins.c).
typedef struct {
    // The sites of its reads, until one site is reached again.
    uint64_t sites[8];
    uint32_t count;
    // Hashes of its atomic operations that have changed nothing.
    uint64_t updates[4];
    uint32_t update_count;
    // watches: whether the thread watches what it reads (compiled_watch_t). Then `site` is where its round begins, and
    // `state` a hash of the thread's state there.
    int watches;
    uint64_t site, state;
    // The lowest address of the stack that is part of that state, and the words above it that others have written
    // since.
    const uint64_t *entry;
    foreign_t foreign[8];
    uint32_t foreign_count;
    // The number of reads since the round began. At `limit` reads, another read is taken as the beginning of the round.
    uint32_t reads, limit;
} rounds_t;

// A channel, under the scheduler's control: a pipe, a pair of sockets, an event counter (eventfd) or an epoll instance.
typedef enum { channel_pipe, channel_socket, channel_counter, channel_epoll } channel_kind_t;
typedef struct {
    // The number of the channel to which a descriptor belongs. 0: none.
    int number;
    channel_kind_t kind;
    // Epoll: whether a descriptor that is not a channel was added to it.
    int has_others;
} channel_t;

typedef struct {
    // The stack pointer of the suspended thread. Its registers are saved there (switch_stack).
    void *stack_pointer;
    // Set by SITE_OF_WAIT: the site of the call, and where the caller's part of the stack begins. live_stack: while the
    // thread is suspended in that call, the stack below this address has no variables of the program. 0: not known.
    uint64_t caller_site, caller_stack, live_stack;
    // The thread pointer, by which the processor finds thread-local variables. 0: the storage has not been made yet.
    uint64_t storage;
    // The thread's vector (DTV), which points to its variables in each module, and the vector's initial content.
    void *vector, *fresh_vector;
    // The lowest address of the thread's stack.
    char *stack;
    // Whether the thread has ended, so that no other thread may use its stack and its variables.
    int has_ended;
    // The thread's function.
    void *(*body)(void *);
    void *argument;
    void *result;
    int is_detached;
    int is_joined;
    // Whether the program asked for a larger stack for the thread than STACK.
    int wants_more_stack;
    // The thread's values of keys (pthread_setspecific).
    void *values[MOST_KEYS];
    // The number of the runtime's locks that the thread holds or is about to take (without those of `once`), and of
    // mutexes that it is about to unlock. Meanwhile it handles no signals.
    int held;
    // The stack for signal handlers that the thread has set with sigaltstack.
    stack_t signal_stack;
    // While a library that holds no lock of its own releases memory for the program: the program's code that has called
    // the library. 0: otherwise.
    uint64_t release_site;
    // Main thread: whether main has returned, so that nothing on its stack is in use.
    int has_returned;
    cancellation_t cancellation;
    rounds_t rounds;
    // The condition or semaphore for which the thread waits, if such waits are made of several steps. Null: none.
    const void *condition;
} fiber_t;
