// What the runtime knows of one of the program's threads, which is a fiber.
#pragma once

#include "CCompiled.h"
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MOST_THREADS = 256,
    // As the C library has.
    MOST_KEYS = 1024,
    // Keys that the program makes before it runs under the engine are those of the C library, and lower.
    FIRST_KEY = 1 << 20,
    PAGE = 4096,
    STACK = COMPILED_STACK,
    MOST_FILES = 1024,
    MOST_CHANNELS = 1024,
};

// What has a lock and a condition, of which the runtime makes something.
typedef struct {
    const volatile void *address;
    uint64_t site;
    // What the program waits at is a condition of its own; is a word of memory.
    int is_condition, is_futex;
    // What is beside something: the step uses that, too.
    int is_use;
    // If it is not in the program's memory: what it is to a thread.
    const char *text;
    int thread;
} lab_place_t;

// What a thread knows of its cancellation, and of what others send to it.
typedef struct {
    // What it is asked for: whether it is cancelled, and how many signals were for it. Only a step reads or writes it.
#define LAB_CANCELLED 1
#define LAB_SIGNAL 2
    uint64_t requests;
    // What its last step on that has read, and what signals it has looked for.
    uint64_t known, seen;
    int is_disabled, is_asynchronous;
    // Where it waits, if others may end that; no address: nowhere. Whether a cancellation does.
    lab_place_t place;
    int is_point;
    // How many others are about to take the lock of that place; and what those want that have done so, as requests.
    int is_sought, is_interrupted;
    // All that wait at the place were woken, because one of them was meant.
    int is_disturbed;
} cancellation_t;

// A word of a thread's stack, and the bits of it that others have written.
typedef struct {
    uint64_t *word, bits;
} foreign_t;

// What a thread has done since it last changed something: see spins.c.
typedef struct {
    // Where it has read, before it is known that it does so in rounds.
    uint64_t sites[8];
    uint32_t count;
    // The operations that have changed nothing, each as a hash.
    uint64_t updates[4];
    uint32_t update_count;
    // Whether it watches what it reads; where the round begins, and what the thread was there.
    int watches;
    uint64_t site, state;
    // Where the part of the stack begins that is in the state, and what others have written of it since.
    const uint64_t *entry;
    foreign_t foreign[8];
    uint32_t foreign_count;
    // The reads since then; after how many of them the round begins elsewhere.
    uint32_t reads, limit;
} rounds_t;

typedef enum { channel_pipe, channel_socket, channel_counter, channel_epoll } channel_kind_t;
typedef struct {
    // The channel that a descriptor is of; 0: none.
    int number;
    channel_kind_t kind;
    // Of an epoll: it watches others than channels, too.
    int has_others;
} channel_t;

typedef struct {
    void *stack_pointer;
    // By SITE_OF_WAIT; and while it is suspended: below that, the stack has no variables of the program.
    uint64_t caller_site, caller_stack, live_stack;
    // The thread's pointer to its own storage, by which the processor finds thread-local variables; 0: not made yet.
    uint64_t storage;
    // Where the thread has the variables of each module, those of libraries that are loaded late elsewhere; and what is there at first.
    void *vector, *fresh_vector;
    char *stack;
    // It has ended, so what is there is used by no other thread.
    int has_ended;
    void *(*body)(void *);
    void *argument;
    void *result;
    int is_detached;
    int is_joined;
    // It asked for a stack that is larger than all are.
    int wants_more_stack;
    void *values[MOST_KEYS];
    // How many locks of the runtime it holds, or is about to take: it handles no signals meanwhile.
    int held;
    // What it has set by sigaltstack.
    stack_t signal_stack;
    // The place in the program's code for which a library, without a lock of its own, releases memory; 0: none.
    uint64_t release_site;
    // Of the main thread: main has returned, so nothing of its stack is in use.
    int has_returned;
    cancellation_t cancellation;
    rounds_t rounds;
    // The condition that it waits at, with programs that cancel threads.
    const void *condition;
} fiber_t;
