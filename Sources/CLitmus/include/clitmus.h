// Runs the threads of a litmus test on real threads, millions of times, without recording: what the processor's memory
// does shows in the values at the end of each round. The method is that of litmus7: many copies of the memory
// (instances), a spin barrier before each round, and small random delays.
#pragma once

#include <stdint.h>

// The limits of a program, and of the number of different outcomes that a run counts (ROWS).
enum {
    CLITMUS_MOST_THREADS = 32,
    CLITMUS_MOST_OBSERVED = 32,
    CLITMUS_MOST_REGISTERS = 2048,
    CLITMUS_MOST_INSTANCE_BYTES = 1 << 16,
    CLITMUS_MOST_ROWS = 1000,
};

// The operands of instructions: `r` is the result register, `a` and `b` are operand registers, `i` is a register with
// an offset in bytes that is added to `place`. Register 0 is always 0.
typedef enum {
    // The thread's round is over: `place` is the ending.
    CLITMUS_END,

    CLITMUS_MOVE,     // r = a
    CLITMUS_INVERT,   // r = ~a
    CLITMUS_NOT,      // r = a == 0
    CLITMUS_ABSOLUTE, // r = |a|
    CLITMUS_ADD,      // r = a + b, and so on; an operation without a result ends the round with an error
    CLITMUS_SUBTRACT,
    CLITMUS_MULTIPLY,
    CLITMUS_DIVIDE,
    CLITMUS_REMAINDER,
    CLITMUS_BIT_AND,
    CLITMUS_BIT_OR,
    CLITMUS_BIT_XOR,
    CLITMUS_SHIFT_LEFT,
    CLITMUS_SHIFT_RIGHT,
    CLITMUS_EQUAL,
    CLITMUS_NOT_EQUAL,
    CLITMUS_LESS,
    CLITMUS_LESS_OR_EQUAL,
    CLITMUS_LEAST,
    CLITMUS_GREATEST,
    CLITMUS_CHOOSE,   // r = a random number from 0 to a − 1
    CLITMUS_ELEMENT,  // r = a * b bytes, where `b` is a number, not a register; an error unless 0 ≤ a < place

    CLITMUS_JUMP,        // to `place`
    CLITMUS_JUMP_BACK,   // to `place`, in a loop: the round ends if the loop takes too long
    CLITMUS_JUMP_IF,     // if a ≠ 0
    CLITMUS_JUMP_UNLESS, // if a = 0
    // The end of an `await` whose condition is in `a`. If `a` is 0, the code from `place` on evaluates the condition
    // again. If no thread can make it true, the round ends.
    CLITMUS_AWAIT,

    // Memory: the cell at place + i. Plain loads and stores of the processor.
    CLITMUS_LOAD_RELAXED, // r
    CLITMUS_LOAD_ACQUIRE,
    CLITMUS_LOAD_SEQCST,
    CLITMUS_STORE_RELAXED, // a
    CLITMUS_STORE_RELEASE,
    CLITMUS_STORE_SEQCST,
    // Atomic updates, with a memory order. The result is the old value.
    CLITMUS_EXCHANGE,
    CLITMUS_FETCH_ADD, // if the sum does not fit, the round ends with an error
    CLITMUS_FETCH_AND,
    CLITMUS_FETCH_OR,
    CLITMUS_FETCH_XOR,
    CLITMUS_COMPARE_EXCHANGE, // expects a, stores b; r = whether it stored
    CLITMUS_FENCE,
    // A mutex is a cell with 0, or with the number of the thread that holds it, counted from 1; the number of
    // `finally` comes after all others.
    CLITMUS_TRY_LOCK, // r = whether it locked
    CLITMUS_UNLOCK,
    CLITMUS_OPCODES,
} clitmus_opcode;

// The memory orders, numbered as the compiler numbers them.
typedef enum {
    CLITMUS_RELAXED = __ATOMIC_RELAXED,
    CLITMUS_ACQUIRE = __ATOMIC_ACQUIRE,
    CLITMUS_RELEASE = __ATOMIC_RELEASE,
    CLITMUS_ACQ_REL = __ATOMIC_ACQ_REL,
    CLITMUS_SEQCST = __ATOMIC_SEQ_CST,
} clitmus_order;

// How a round ended for one of its threads. The ending of the round is the greatest of these; if all threads completed,
// it is the ending of `finally`.
typedef enum {
    CLITMUS_COMPLETED,
    CLITMUS_BLOCKED,    // threads wait for what no thread will do
    CLITMUS_UNFINISHED, // a loop took too long
    CLITMUS_MISUSE,     // a thread unlocks a mutex that it does not hold
    CLITMUS_ERROR,      // an operation without a result
    CLITMUS_ASSERTION,  // a condition does not hold
    // Not an ending: the run was stopped.
    CLITMUS_STOPPED,
} clitmus_ending;

typedef struct {
    uint16_t opcode, order, failureOrder;
    uint16_t r, a, b, i;
    int32_t place;
} clitmus_instruction;

typedef struct {
    const clitmus_instruction *code;
    uint32_t length;
    // The values of the first registers (`constantCount` of them), which the code does not change. The others, up to
    // `registerCount`, are variables.
    const int64_t *constants;
    uint32_t constantCount, registerCount;
} clitmus_body;

typedef struct {
    uint32_t offset;
    int64_t value;
} clitmus_cell;

typedef struct {
    const clitmus_body *threads;
    uint32_t threadCount;
    // Runs after the threads of a round have completed.
    clitmus_body finally;
    uint32_t instanceBytes;
    const clitmus_cell *cells;
    uint32_t cellCount;
    // The offsets of the cells whose values make up the outcome.
    const uint32_t *observed;
    uint32_t observedCount;
} clitmus_program;

typedef struct {
    uint64_t rounds;
    uint64_t seed;
    // Whether each thread runs on a processor of its own, as far as there are enough.
    int isPinned;
    // The time after which a loop is given up, in nanoseconds.
    uint64_t loopTime;
} clitmus_options;

typedef struct clitmus_run clitmus_run;

// Whether the program can be run: it is within the limits, and all registers, places and jumps of its code exist.
int clitmus_is_valid(const clitmus_program *program);

// Starts the threads, which inherit the caller's blocked signals. The program must exist until the run is freed.
// Returns null, and an error number, if there is no memory or a thread cannot be created.
clitmus_run *clitmus_start(const clitmus_program *program, const clitmus_options *options, int *failure);

int clitmus_is_over(const clitmus_run *run);
// The number of rounds that have been counted so far.
uint64_t clitmus_rounds(const clitmus_run *run);

// Ends the run early. Rounds that have not ended are not counted.
void clitmus_stop(clitmus_run *run);

// Waits for the threads, and adds up their counts.
void clitmus_join(clitmus_run *run);

// The results, after `clitmus_join`: the number of different outcomes (rows); one of them; and the number of rounds
// whose outcomes had no room, because there are CLITMUS_MOST_ROWS others.
uint32_t clitmus_rows(const clitmus_run *run);
typedef struct {
    clitmus_ending ending;
    uint64_t count;
    const int64_t *values;
} clitmus_row;
clitmus_row clitmus_row_at(const clitmus_run *run, uint32_t row);
uint64_t clitmus_others(const clitmus_run *run);

void clitmus_free(clitmus_run *run);

// The number of processors that the process may use.
int clitmus_processors(void);
