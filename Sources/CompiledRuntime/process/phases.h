// Registration. Each file of the runtime registers what it does at certain moments (its phases), the functions that the
// engine can call (its offers), and its variables that are not restored with the program's memory. The linker collects
// them in sections, so they are listed nowhere else.
//
// Support for another function of POSIX is therefore one file: the function (EXPORTED), its variables (LAB_EACH_THREAD
// and others), and its phases (LAB_PHASE and others). A new kind of request also needs a row in CCompiled.h, and a line
// in CompiledSubject.swift if it has arguments.
#pragma once

#include "process/fiber.h"

typedef enum {
    // The C library is about to call the constructors of the program's file.
    lab_at_load,
    // The process would now call main. Memory, files and mappings that exist now belong to the program. What is mapped
    // after the last phase of this moment does not.
    lab_at_start,
    // The engine is loaded, and lab_state exists.
    lab_with_engine,
    // Before the first execution. After the last phase of this moment, the first write to a page of the program's
    // memory is a fault.
    lab_before_all,
    lab_before_execution,
    // The running thread is about to end.
    lab_at_thread_end,
    lab_after_execution,
    // The running thread makes a request, which a phase may change. The engine does not know of it yet.
    lab_before_step,
    // The running thread is about to take a step that accesses memory. The bytes have not been noted yet.
    lab_before_access,
    lab_moment_count,
} lab_moment_t;

// The phases of one moment run by rank, the lowest first. Those with the same rank run in no particular order.
enum { LAB_FIRST = 0, LAB_EARLY = 10, LAB_ANY = 50, LAB_LATE = 90, LAB_LAST = 100 };

typedef void (*before_step_t)(fiber_t *running, compiled_request_t *request);
typedef void (*before_access_t)(uint64_t site);
typedef struct {
    lab_moment_t moment;
    int rank;
    union {
        void (*run)(void);
        before_step_t before_step;
        before_access_t before_access;
    };
} lab_phase_t;

// Puts an object in the section of this name, whose ends the linker names (__start_NAME, __stop_NAME). The attributes
// keep it there although no code refers to it (--gc-sections).
#define LAB_REGISTERED(name) __attribute__((used, retain, section(name)))
// LAB_PHASE and the two macros after it register a function of the file as a phase. member: the member of lab_phase_t
// that points to the function.
#define LAB_PHASE_OF(moment, rank, member, function) \
    static const lab_phase_t moment##_##function LAB_REGISTERED("lab_phases") = {moment, rank, {.member = function}}
#define LAB_PHASE(moment, rank, function) LAB_PHASE_OF(moment, rank, run, function)
#define LAB_BEFORE_STEP(rank, function) LAB_PHASE_OF(lab_before_step, rank, before_step, function)
#define LAB_BEFORE_ACCESS(rank, function) LAB_PHASE_OF(lab_before_access, rank, before_access, function)

// A function that the engine can call. offset: that of the member of compiled_program_t that points to it.
typedef struct {
    size_t offset;
    void (*function)(void);
} lab_offer_t;
// Offers the function `offered` of the file as this member of compiled_program_t.
#define LAB_OFFER(member, offered) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&offered), __typeof__(((compiled_program_t *)0)->member)), "another type"); \
    static const lab_offer_t offer_##member LAB_REGISTERED("lab_offers") = { \
        offsetof(compiled_program_t, member), (void (*)(void))offered}

// Variables of one file, which are allocated behind lab_state when the engine is loaded. Until then, the pointer to
// them is null.
typedef struct {
    void **pointer;
    size_t size;
    enum { lab_kept, lab_of_execution, lab_of_thread } lifetime;
} lab_variables_t;
// Each of these macros declares `name`, a pointer to the variables.
#define LAB_VARIABLES(type, name, count, lifetime) \
    static type *name; \
    static const lab_variables_t variables_##name LAB_REGISTERED("lab_variables") = {(void **)&name, sizeof(type) * (count), lifetime}
// Variables that are zero at first and keep their values between executions.
#define LAB_KEPT(type, name) LAB_VARIABLES(type, name, 1, lab_kept)
// Variables that are zero at the beginning of each execution.
#define LAB_EACH_EXECUTION(type, name) LAB_VARIABLES(type, name, 1, lab_of_execution)
// An array with an element for each thread, which is zero when the thread begins.
#define LAB_EACH_THREAD(type, name) LAB_VARIABLES(type, name, MOST_THREADS, lab_of_thread)

// phases.c
// Sorts the registered phases. To be called once, before the functions below.
HIDDEN void lab_find_phases(void);
HIDDEN void lab_run(lab_moment_t moment);
HIDDEN void lab_run_before_step(fiber_t *running, compiled_request_t *request);
HIDDEN void lab_run_before_access(uint64_t site);
// Stores the offered functions in the program's structure.
HIDDEN void lab_make_offers(compiled_program_t *program);
// The size of all registered variables. lab_place_variables puts them in memory of that size, which must be zero.
HIDDEN size_t lab_variables_size(void);
HIDDEN void lab_place_variables(char *memory);
HIDDEN void lab_clear_variables_of_execution(void);
HIDDEN void lab_clear_variables_of_thread(int thread);
