// Reads the stack of a suspended thread without changing it: the calls that led to where the thread is, the frame that
// contains an address, and the part of the stack that is in use.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include <unwind.h>

typedef struct {
    // The function that visits each frame.
    _Unwind_Trace_Fn note;
    uint64_t *addresses;
    uint32_t count, most;
    // For note_frame: the address that is looked for, the frame that contains it (frames[1]), and the frame that
    // frames[1] has called (frames[0]).
    uint64_t address;
    compiled_frame_t *frames;
    // For find_live: whether the function of the last visited frame is the runtime's, and what the walk finds.
    int is_runtime;
    live_t *live;
    // The number of visited frames; the address of the last one; and how often a frame was at no higher address than
    // the frame that it had called.
    uint64_t visited, last;
    int descents;
    // Whether the stack cannot be followed to its end because the stack or the unwind tables of the program's files
    // (.eh_frame) are damaged.
    int is_damaged;
} walk_t;

void lab_leave_walk(void) {
    if (!lab_state || !lab_state->way_out) return;
    lab_arm_fault_stack();
    __builtin_longjmp(lab_state->way_out, 1);
}

// Limits of an undamaged stack. MOST_DESCENTS: how often the walk, which goes to higher addresses, may reach a lower
// one, because a call has changed to another stack. LEAST_FRAME: the least size of a frame in bytes.
enum { MOST_DESCENTS = 16, LEAST_FRAME = 16 };

// Counts a visited frame. Returns whether damaged tables seem to lead the walk in a cycle, or upwards without end.
static int is_endless(walk_t *walk, struct _Unwind_Context *context) {
    uint64_t stack = _Unwind_GetCFA(context);
    walk->visited++;
    walk->descents += stack <= walk->last;
    walk->last = stack;
    walk->is_damaged |= walk->descents > MOST_DESCENTS || walk->visited > STACK / LEAST_FRAME;
    return walk->is_damaged;
}

// Visits a frame for `calls`: adds its address to the list, unless its function is the runtime's.
static _Unwind_Reason_Code note_call(struct _Unwind_Context *context, void *memory) {
    walk_t *walk = memory;
    if (is_endless(walk, context)) return _URC_NORMAL_STOP;
    int is_before = 0;
    uint64_t address = _Unwind_GetIPInfo(context, &is_before);
    if (lab_is_runtime_code(address)) return _URC_NO_REASON;
    if (!address || walk->count == walk->most) return _URC_NORMAL_STOP;
    // Most addresses follow a call instruction. The address in a frame that a fault interrupted is that of the
    // instruction itself (is_before), so one is added.
    walk->addresses[walk->count++] = address + (uint64_t)is_before;
    return _URC_NO_REASON;
}

// A frame during a visit, without its end. _Unwind_GetCFA then returns the frame's stack pointer. The numbers are DWARF's
// of rbp, rbx and r12 to r15.
static compiled_frame_t frame_of(struct _Unwind_Context *context) {
    int is_before = 0;
    uint64_t address = _Unwind_GetIPInfo(context, &is_before);
    return (compiled_frame_t){
        .address = address + (uint64_t)is_before, .stack = _Unwind_GetCFA(context), .base = _Unwind_GetGR(context, 6),
        .rbx = _Unwind_GetGR(context, 3), .r12 = _Unwind_GetGR(context, 12), .r13 = _Unwind_GetGR(context, 13),
        .r14 = _Unwind_GetGR(context, 14), .r15 = _Unwind_GetGR(context, 15)};
}

// Visits a frame for `stack`: adds it to the list, unless its function is the runtime's. A frame ends where the stack
// pointer of the next one is.
static _Unwind_Reason_Code note_own_frame(struct _Unwind_Context *context, void *memory) {
    walk_t *walk = memory;
    if (is_endless(walk, context)) return _URC_NORMAL_STOP;
    if (walk->count && !walk->frames[walk->count - 1].end) walk->frames[walk->count - 1].end = _Unwind_GetCFA(context);
    compiled_frame_t frame = frame_of(context);
    if (lab_is_runtime_code(frame.address)) return _URC_NO_REASON;
    if (!frame.address || walk->count == walk->most) return _URC_NORMAL_STOP;
    walk->frames[walk->count++] = frame;
    return _URC_NO_REASON;
}

// note_frame visits at most this number of frames.
enum { MOST_FRAMES = 1 << 16 };

// Visits a frame for `frames`. Its stack pointer is where the frame that it has called ends.
static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *memory) {
    walk_t *walk = memory;
    if (is_endless(walk, context)) return _URC_NORMAL_STOP;
    uint64_t stack = _Unwind_GetCFA(context), start = walk->address - (walk->address - (uint64_t)lab_state->stacks) % STACK;
    // The first frames belong to this walk, on the engine's stack. A later frame that is not on the thread's stack ends
    // the search.
    if (stack - start > STACK) return walk->count ? _URC_NORMAL_STOP : _URC_NO_REASON;
    walk->frames[1].end = stack;
    if (walk->address < stack || walk->count == MOST_FRAMES) return _URC_NORMAL_STOP;
    walk->frames[0] = walk->frames[1];
    walk->frames[1] = frame_of(context);
    walk->count++;
    return _URC_NO_REASON;
}

// Visits the frames of its callers. Called by begin_unwinding, and by lab_walk, which makes a suspended thread look
// like the caller. Reading a damaged stack may cause a fault, which ends the walk (lab_leave_walk).
__attribute__((used, visibility("hidden"))) void lab_walk_calls(walk_t *walk) {
    void *registers[5];
    if (!__builtin_setjmp(registers)) {
        lab_state->way_out = registers;
        _Unwind_Backtrace(walk->note, walk);
    } else {
        walk->is_damaged = 1;
    }
    lab_state->way_out = NULL;
}

// A word at any address, also one that is not a multiple of its size.
typedef struct __attribute__((packed)) {
    uint64_t value;
} word_t;

static int read_word(uint64_t address, uint64_t *word) {
    void *registers[5];
    volatile int is_read = 0;
    if (!__builtin_setjmp(registers)) {
        lab_state->way_out = registers;
        *word = ((const volatile word_t *)address)->value;
        is_read = 1;
    }
    lab_state->way_out = NULL;
    return is_read;
}
LAB_OFFER(read_word, read_word);

// Calls lab_walk_calls. The unwind information of this function says that its caller is the suspended thread, and that
// the thread's registers are where switch_stack has saved them: r15, r14, r13, r12, rbx and rbp from `stack_pointer`
// up, then the return address.
void lab_walk(const void *stack_pointer, walk_t *walk);
__asm__(".pushsection lab_text,\"ax\",@progbits\n.hidden lab_walk\n.globl lab_walk\n.type lab_walk, @function\nlab_walk:\n"
        ".cfi_startproc\npushq %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbx, -16\nmovq %rdi, %rbx\n"
        ".cfi_remember_state\n.cfi_def_cfa %rbx, 56\n.cfi_offset %rbp, -16\n.cfi_offset %rbx, -24\n.cfi_offset %r12, -32\n"
        ".cfi_offset %r13, -40\n.cfi_offset %r14, -48\n.cfi_offset %r15, -56\n"
        "movq %rsi, %rdi\ncall lab_walk_calls\n"
        ".cfi_restore_state\npopq %rbx\n.cfi_adjust_cfa_offset -8\nret\n"
        ".cfi_endproc\n.size lab_walk, . - lab_walk\n.popsection\n");

static uint32_t calls(uint32_t thread, uint64_t *addresses, uint32_t most) {
    walk_t walk = {.note = note_call, .addresses = addresses, .most = most};
    lab_walk(lab_state->fibers[thread].stack_pointer, &walk);
    return walk.count;
}
LAB_OFFER(calls, calls);

static int frames_at(uint64_t address, compiled_frame_t frames[2]) {
    if (!lab_is_on_stack(address)) return -1;
    int thread = (int)((address - (uint64_t)lab_state->stacks) / STACK);
    fiber_t *fiber = &lab_state->fibers[thread];
    if (thread >= lab_state->thread_count || fiber->has_ended) return -1;
    walk_t walk = {.note = note_frame, .address = address, .frames = frames};
    frames[0] = frames[1] = (compiled_frame_t){0};
    lab_walk(fiber->stack_pointer, &walk);
    // frames[1] is the last visited frame, which need not contain the address.
    return walk.count && address >= frames[1].stack && address < frames[1].end ? thread : -1;
}
LAB_OFFER(frames, frames_at);

static uint32_t stack_of(uint32_t thread, compiled_frame_t *frames, uint32_t most) {
    if (thread >= (uint32_t)lab_state->thread_count || lab_state->fibers[thread].has_ended) return 0;
    walk_t walk = {.note = note_own_frame, .frames = frames, .most = most};
    lab_walk(lab_state->fibers[thread].stack_pointer, &walk);
    return walk.count;
}
LAB_OFFER(stack, stack_of);

// Visits a frame for lab_find_live, which needs the innermost frame that is not the runtime's. Below that frame, the
// stack holds nothing of the program's except its callee-saved registers, if functions of the runtime have saved them.
static _Unwind_Reason_Code find_live(struct _Unwind_Context *context, void *memory) {
    // DWARF's numbers of rbx, rbp and r12 to r15.
    static const int kept[] = {3, 6, 12, 13, 14, 15};
    walk_t *walk = memory;
    if (is_endless(walk, context)) return _URC_NORMAL_STOP;
    int is_before = 0;
    uint64_t address = _Unwind_GetIPInfo(context, &is_before);
    if (!address) return _URC_NORMAL_STOP;
    int is_runtime = lab_is_runtime_code(address);
    if (!walk->live->stack && !is_runtime) {
        for (int i = 0; i < LIVE_REGISTERS; i++) walk->live->registers[i] = _Unwind_GetGR(context, kept[i]);
        // The frame's stack pointer (note_frame).
        walk->live->stack = _Unwind_GetCFA(context);
    }
    walk->is_runtime = is_runtime;
    return _URC_NO_REASON;
}

int lab_find_live(uint32_t thread, live_t *live) {
    const fiber_t *fiber = &lab_state->fibers[thread];
    walk_t walk = {.note = find_live, .live = live};
    live->stack = 0;
    // A thread of the program may be running. Replaced functions must not take the walk's calls for calls by the
    // program.
    int running = lab_state->current;
    lab_state->current = -1;
    lab_walk(fiber->stack_pointer, &walk);
    lab_state->current = running;
    // The outermost function of a thread's stack is the runtime's. If it is another one, the thread runs on a stack
    // that the program has made, perhaps in the memory of the thread's own.
    int is_whole = walk.is_runtime && !walk.is_damaged;
    return is_whole && live->stack > (uint64_t)fiber->stack && live->stack <= (uint64_t)fiber->stack + STACK;
}

static void leave_at_fault(int number) {
    lab_leave_walk();
    lab_die(number);
}

// The first unwinding in a process initializes data that all others use. If it were in a recorded execution, the
// program would find the data initialized there, and take other steps than in the search. So the first one is here. It
// reads the unwind tables of the program's file, which may be damaged. The program's faults are not handled yet, so
// this function handles a fault itself.
static void begin_unwinding(void) {
    uint64_t address;
    walk_t walk = {.note = note_call, .addresses = &address, .most = 1};
    struct sigaction leave = {.sa_handler = leave_at_fault, .sa_flags = SA_NODEFER};
    lab_take_faults(&leave);
    lab_walk_calls(&walk);
    lab_give_faults_back();
    if (!walk.is_damaged) return;
    fprintf(stderr, "threadlab: %s: what it says of its functions is damaged (.eh_frame): build it again\n", program_invocation_name);
    _exit(2);
}
// After find_real_functions: it calls functions that the runtime replaces.
LAB_PHASE(lab_with_engine, LAB_FIRST + 1, begin_unwinding);

#endif
