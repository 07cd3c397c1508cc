// The functions of clitmus.h: validates a program, starts and ends a run of it, and reports the results.
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// MEMORY: the target size of all instances together, in bytes: too large for a thread's own cache to hold an instance
// until its round begins. VALUE_BYTES: the size of a cell.
enum { MEMORY = 1 << 20, MOST_INSTANCES = 4096, LEAST_INSTANCES = 16, VALUE_BYTES = sizeof(int64_t) };

// How often a waiting thread polls before it yields its processor: MANY if each thread is pinned to a processor of its
// own, else FEW.
enum { MANY_SPINS = 200000, FEW_SPINS = 500 };

// MARK: - Validation

static bool has_result(clitmus_opcode opcode) {
    bool isComputed = opcode >= CLITMUS_MOVE && opcode <= CLITMUS_ELEMENT;
    bool isLoad = opcode >= CLITMUS_LOAD_RELAXED && opcode <= CLITMUS_LOAD_SEQCST;
    bool isUpdate = opcode >= CLITMUS_EXCHANGE && opcode <= CLITMUS_COMPARE_EXCHANGE;
    return isComputed || isLoad || isUpdate || opcode == CLITMUS_TRY_LOCK;
}

// bytes: the size of an instance.
static bool is_valid_instruction(const clitmus_instruction *from, const clitmus_body *body, uint32_t bytes) {
    uint32_t count = body->registerCount;
    if (from->opcode >= CLITMUS_OPCODES || from->order > CLITMUS_SEQCST || from->failureOrder > CLITMUS_SEQCST) {
        return false;
    }
    if (from->r >= count || from->a >= count || from->i >= count) return false;
    // Constants must not be written.
    if (has_result((clitmus_opcode)from->opcode) && from->r < body->constantCount) return false;
    switch ((clitmus_opcode)from->opcode) {
    case CLITMUS_END: return from->place >= 0 && from->place < CLITMUS_STOPPED;
    case CLITMUS_ELEMENT: return from->place >= 0;
    case CLITMUS_JUMP:
    case CLITMUS_JUMP_BACK:
    case CLITMUS_JUMP_IF:
    case CLITMUS_JUMP_UNLESS:
    case CLITMUS_AWAIT: return from->place >= 0 && (uint32_t)from->place < body->length;
    default: break;
    }
    if (from->b >= count) return false;
    bool isMemory = from->opcode >= CLITMUS_LOAD_RELAXED && from->opcode != CLITMUS_FENCE;
    if (!isMemory) return true;
    return from->place >= 0 && (uint32_t)from->place + VALUE_BYTES <= bytes && from->place % VALUE_BYTES == 0;
}

static bool is_valid_body(const clitmus_body *body, uint32_t bytes) {
    if (body->length == 0 || body->registerCount == 0 || body->registerCount > CLITMUS_MOST_REGISTERS) return false;
    if (body->constantCount == 0 || body->constantCount > body->registerCount || body->constants[0] != 0) return false;
    for (uint32_t number = 0; number < body->length; number++) {
        if (!is_valid_instruction(&body->code[number], body, bytes)) return false;
    }
    uint16_t last = body->code[body->length - 1].opcode;
    return last == CLITMUS_END;
}

int clitmus_is_valid(const clitmus_program *program) {
    uint32_t bytes = program->instanceBytes;
    if (program->threadCount == 0 || program->threadCount > CLITMUS_MOST_THREADS) return false;
    if (bytes == 0 || bytes % LINE != 0 || bytes > CLITMUS_MOST_INSTANCE_BYTES) return false;
    if (program->observedCount > CLITMUS_MOST_OBSERVED) return false;
    for (uint32_t number = 0; number < program->threadCount; number++) {
        if (!is_valid_body(&program->threads[number], bytes)) return false;
    }
    for (uint32_t number = 0; number < program->cellCount; number++) {
        uint32_t offset = program->cells[number].offset;
        if (offset % VALUE_BYTES != 0 || offset + VALUE_BYTES > bytes) return false;
    }
    for (uint32_t number = 0; number < program->observedCount; number++) {
        uint32_t offset = program->observed[number];
        if (offset % VALUE_BYTES != 0 || offset + VALUE_BYTES > bytes) return false;
    }
    return is_valid_body(&program->finally, bytes);
}

// MARK: - Memory

// Allocates zeroed memory that begins and ends at the border of a cache line.
static void *lines(size_t bytes) {
    size_t whole = (bytes + LINE - 1) / LINE * LINE;
    void *memory = aligned_alloc(LINE, whole);
    return memory ? memset(memory, 0, whole) : NULL;
}

// The registers of a thread, with their constants.
static int64_t *registers(const clitmus_body *body) {
    int64_t *values = lines(body->registerCount * sizeof *values);
    if (values) memcpy(values, body->constants, body->constantCount * sizeof *values);
    return values;
}

// Allocates what a thread needs.
static bool make_worker(clitmus_run *run, uint32_t number) {
    worker_t *worker = run->workers[number] = lines(sizeof *worker);
    if (!worker) return false;
    const clitmus_program *program = run->program;
    worker->run = run;
    worker->number = number;
    // The lowest bit is set, because the state must not be 0.
    worker->random = (run->options.seed + number + 1) * 0x9E3779B97F4A7C15u | 1;
    worker->code = clitmus_translate(&program->threads[number]);
    worker->finally = clitmus_translate(&program->finally);
    worker->registers = registers(&program->threads[number]);
    worker->finallyRegisters = registers(&program->finally);
    return clitmus_tally_init(&worker->tally, program->observedCount) && worker->code && worker->finally
        && worker->registers && worker->finallyRegisters;
}

// Allocates the memory of all instances, and what the threads need.
static bool make_parts(clitmus_run *run) {
    const clitmus_program *program = run->program;
    run->instances = LEAST_INSTANCES;
    while (run->instances < MOST_INSTANCES && (size_t)run->instances * program->instanceBytes < MEMORY) {
        run->instances *= 2;
    }
    run->memory = lines((size_t)run->instances * program->instanceBytes);
    run->endings = lines((size_t)run->instances * program->threadCount);
    if (!run->memory || !run->endings) return false;
    for (uint32_t instance = 0; instance < run->instances; instance++) {
        for (uint32_t number = 0; number < program->cellCount; number++) {
            clitmus_cell cell = program->cells[number];
            *(int64_t *)(run->memory + (size_t)instance * program->instanceBytes + cell.offset) = cell.value;
        }
    }
    for (uint32_t number = 0; number < program->threadCount; number++) {
        if (!make_worker(run, number)) return false;
    }
    return true;
}

// MARK: - A run

clitmus_run *clitmus_start(const clitmus_program *program, const clitmus_options *options, int *failure) {
    *failure = ENOMEM;
    clitmus_run *run = lines(sizeof *run);
    if (!run) return NULL;
    run->program = program;
    run->options = *options;
    if (!make_parts(run)) {
        clitmus_free(run);
        return NULL;
    }
    // A thread with a processor of its own keeps it while it waits, so that it continues as soon as the awaited thread
    // arrives. Otherwise the awaited thread may need this processor, so a waiting thread soon yields.
    run->spins = options->isPinned && (int)program->threadCount <= clitmus_processors() ? MANY_SPINS : FEW_SPINS;
    *failure = 0;
    for (uint32_t number = 0; number < program->threadCount; number++) {
        worker_t *worker = run->workers[number];
        *failure = pthread_create(&worker->thread, NULL, clitmus_work, worker);
        if (*failure) break;
        run->started++;
    }
    atomic_store_explicit(&run->team, *failure ? ABANDONED : COMPLETE, memory_order_release);
    if (!*failure) return run;
    clitmus_join(run);
    clitmus_free(run);
    return NULL;
}

int clitmus_is_over(const clitmus_run *run) { return atomic_load_explicit(&run->isOver, memory_order_acquire); }

uint64_t clitmus_rounds(const clitmus_run *run) { return atomic_load_explicit(&run->done, memory_order_relaxed); }

void clitmus_stop(clitmus_run *run) { atomic_store_explicit(&run->mustStop, true, memory_order_relaxed); }

void clitmus_join(clitmus_run *run) {
    for (uint32_t number = 0; number < run->started; number++) pthread_join(run->workers[number]->thread, NULL);
    run->started = 0;
    tally_t *all = &run->workers[0]->tally;
    for (uint32_t number = 1; number < run->program->threadCount; number++) {
        const tally_t *part = &run->workers[number]->tally;
        for (uint32_t row = 0; row < part->count; row++) {
            clitmus_tally_add(
                all, (clitmus_ending)part->endings[row], &part->values[row * part->width], part->counts[row]);
        }
        all->others += part->others;
    }
}

uint32_t clitmus_rows(const clitmus_run *run) { return run->workers[0]->tally.count; }

clitmus_row clitmus_row_at(const clitmus_run *run, uint32_t row) {
    const tally_t *tally = &run->workers[0]->tally;
    return (clitmus_row){
        .ending = (clitmus_ending)tally->endings[row], .count = tally->counts[row],
        .values = &tally->values[row * tally->width],
    };
}

uint64_t clitmus_others(const clitmus_run *run) { return run->workers[0]->tally.others; }

void clitmus_free(clitmus_run *run) {
    for (uint32_t number = 0; number < CLITMUS_MOST_THREADS && run->workers[number]; number++) {
        worker_t *worker = run->workers[number];
        clitmus_tally_free(&worker->tally);
        free(worker->code);
        free(worker->finally);
        free(worker->registers);
        free(worker->finallyRegisters);
        free(worker);
    }
    free(run->memory);
    free(run->endings);
    free(run);
}
