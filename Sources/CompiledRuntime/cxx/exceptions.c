// Exceptions of C++ that several threads use: those that a std::exception_ptr points to, and their texts. The library counts references to them
// with atomics of its own, and the last one that is given up destroys them. Each such count is a step, in programs with several threads.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

// What of the C++ library's (libstdc++, and the common ABI of Itanium) is before a thrown object: how many references there are to it, and
// behind that, in bytes that nothing uses, whether there ever was more than its thread's own. New blocks are zero.
typedef struct {
    int32_t count;
    int32_t is_shared;
    // Of the exception as the compiler knows it: __cxa_exception.
    char rest[120];
} references_t;

// The same of one that a thread handles.
typedef struct {
    // Of one that was thrown by std::rethrow_exception: the exception itself.
    void *primary;
    char pointers[32];
    int32_t handlers, selector;
    char more[32];
    // The class of the exception, of which the last letter says that it is one of those.
    uint64_t class;
    char rest[24];
} handled_t;

enum { HANDLED_SIZE = 112, OBJECT_OFFSET = 128, RETHROWN = 1 };
_Static_assert(sizeof(handled_t) == HANDLED_SIZE && sizeof(references_t) == OBJECT_OFFSET, "the sizes of the common ABI");
static const uint64_t CLASS = 0x474E5543432B2B00; // "GNUCC++" and the last letter

static references_t *references_of(void *object) { return (references_t *)object - 1; }

static int is_watched(void) { return is_controlled() && lab_state->unjoined > 1; }

// POSIX and the standard promise no order of those that look at an exception, but the one that destroys it comes after all others.
// The step is on the eight bytes that have the count in them.
static void count(int32_t *counter, int change, uint64_t site) {
    lab_atomic_step(compiled_add, 2 * sizeof *counter, counter, change, 0, change > 0 ? __ATOMIC_RELAXED : __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, site);
}

static void add_reference(void *object, uint64_t site) {
    if (!object) return;
    // Also before 'main'.
    __atomic_store_n(&references_of(object)->is_shared, 1, __ATOMIC_RELAXED);
    if (is_watched()) count(&references_of(object)->count, 1, site);
}

// Whether another could have a reference does not depend on the order of threads: the thread that gave it away knows it.
static void drop_reference(void *object, uint64_t site) {
    if (is_watched() && object && references_of(object)->is_shared) count(&references_of(object)->count, -1, site);
}

// MARK: - Pointers to exceptions

EXPORTED void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **pointer) {
    lab_note_access(pointer, sizeof *pointer, 0, SITE);
    add_reference(*pointer, SITE);
    REAL(_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv, void, void **)(pointer);
}

EXPORTED const void *_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv(void *const *pointer) {
    lab_note_access(pointer, sizeof *pointer, 0, SITE);
    return REAL(_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv, const void *, void *const *)(pointer);
}

// The pointer is null after that.
EXPORTED void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **pointer) {
    lab_note_access(pointer, sizeof *pointer, 1, SITE);
    uint64_t before = lab_begin_release(SITE);
    drop_reference(*pointer, SITE);
    REAL(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, void, void **)(pointer);
    lab_end_release(before);
}

EXPORTED _Noreturn void _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void **pointer) {
    add_reference(*pointer, SITE);
    REAL(_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE, void, void **)(pointer);
    __builtin_unreachable();
}

// What the exception was thrown out of in a library, which has released nothing after that, is at its end.
EXPORTED void *__cxa_begin_catch(void *exception) {
    if (is_controlled() && lab_is_program_code(SITE)) lab_state->fibers[lab_state->current].release_site = 0;
    return REAL(__cxa_begin_catch, void *, void *)(exception);
}

// The end of a handler: of an exception's last one gives up the reference.
EXPORTED void __cxa_end_catch(void) {
    if (!is_watched()) return REAL(__cxa_end_catch, void, void)();
    // What is known of a thread's exceptions begins with the innermost that it handles.
    handled_t *handled = *(handled_t **)REAL(__cxa_get_globals, void *, void)();
    uint64_t before = lab_begin_release(SITE);
    if (handled && (handled->class & ~(uint64_t)0xFF) == CLASS && handled->handlers == 1) {
        int is_rethrown = (handled->class & 0xFF) == RETHROWN;
        drop_reference(is_rethrown ? handled->primary : handled + 1, SITE);
    }
    REAL(__cxa_end_catch, void, void)();
    lab_end_release(before);
}

// The block of an exception that was thrown again is its thread's own. It is freed between the step of the count and the count itself, which
// others may not come between: so freeing it takes none.
EXPORTED void __cxa_free_dependent_exception(void *block) {
    if (!is_controlled()) return REAL(__cxa_free_dependent_exception, void, void *)(block);
    uint64_t *site = &lab_state->fibers[lab_state->current].release_site, before = *site;
    *site = 0;
    REAL(__cxa_free_dependent_exception, void, void *)(block);
    *site = before;
}

// A part of a promise that has been kept, or of a task that has run: the result, or the exception.
EXPORTED void _ZNSt13__future_base12_Result_baseD2Ev(void *result) {
    uint64_t before = lab_begin_release(SITE);
    REAL(_ZNSt13__future_base12_Result_baseD2Ev, void, void *)(result);
    lab_end_release(before);
}

// MARK: - Texts

// Before the text of an exception, which copies of it share.
typedef struct {
    uint64_t length, capacity;
    // One less than there are; and whether there ever were more.
    int32_t count, is_shared;
} text_t;

// Null: it is the empty one, which is always there.
static text_t *text_of(const void *exception) {
    char *bytes = ((char *const *)exception)[1];
    return lab_is_in_heap((uint64_t)bytes) ? (text_t *)(void *)bytes - 1 : NULL;
}

static void copy_text(const void *exception, uint64_t site) {
    text_t *text = text_of(exception);
    if (!text) return;
    // Also before 'main'.
    __atomic_store_n(&text->is_shared, 1, __ATOMIC_RELAXED);
    if (is_watched()) count(&text->count, 1, site);
}

static void drop_text(void *exception, uint64_t site) {
    text_t *text = text_of(exception);
    if (text && is_watched() && text->is_shared) count(&text->count, -1, site);
}

#define COPIES(name) \
    EXPORTED void name(void *exception, const void *other) { \
        lab_note_access(other, 2 * sizeof(void *), 0, SITE); \
        copy_text(other, SITE); \
        lab_note_access(exception, 2 * sizeof(void *), 1, SITE); \
        REAL(name, void, void *, const void *)(exception, other); \
    }
// The other has the empty text after that.
#define MOVES(name) \
    EXPORTED void name(void *exception, void *other) { \
        lab_note_access(other, 2 * sizeof(void *), 1, SITE); \
        lab_note_access(exception, 2 * sizeof(void *), 1, SITE); \
        REAL(name, void, void *, void *)(exception, other); \
    }
#define DESTROYS(name) \
    EXPORTED void name(void *exception) { \
        lab_note_access(exception, 2 * sizeof(void *), 1, SITE); \
        uint64_t before = lab_begin_release(SITE); \
        drop_text(exception, SITE); \
        REAL(name, void, void *)(exception); \
        lab_end_release(before); \
    }
COPIES(_ZNSt11logic_errorC1ERKS_)
COPIES(_ZNSt11logic_errorC2ERKS_)
COPIES(_ZNSt13runtime_errorC1ERKS_)
COPIES(_ZNSt13runtime_errorC2ERKS_)
MOVES(_ZNSt11logic_errorC1EOS_)
MOVES(_ZNSt11logic_errorC2EOS_)
MOVES(_ZNSt13runtime_errorC1EOS_)
MOVES(_ZNSt13runtime_errorC2EOS_)
DESTROYS(_ZNSt11logic_errorD1Ev)
DESTROYS(_ZNSt11logic_errorD2Ev)
DESTROYS(_ZNSt13runtime_errorD1Ev)
DESTROYS(_ZNSt13runtime_errorD2Ev)

// Others of the library, of which the base does that.
#define ENDS_FORM(name, size) \
    EXPORTED void name(void *exception) { \
        lab_note_access(exception, size, 1, SITE); \
        uint64_t before = lab_begin_release(SITE); \
        REAL(name, void, void *)(exception); \
        lab_end_release(before); \
    }
#define ENDS(class, size) \
    ENDS_FORM(_ZNSt##class##D1Ev, size) \
    ENDS_FORM(_ZNSt##class##D2Ev, size)
ENDS(12domain_error, 16)
ENDS(16invalid_argument, 16)
ENDS(12length_error, 16)
ENDS(12out_of_range, 16)
ENDS(11range_error, 16)
ENDS(14overflow_error, 16)
ENDS(15underflow_error, 16)
// With a code.
ENDS(11regex_error, 24)
ENDS(12future_error, 32)
ENDS(12system_error, 32)
// Without a text.
ENDS(16nested_exception, 16)
ENDS(9exception, 8)
ENDS(8bad_cast, 8)
ENDS(9bad_alloc, 8)
ENDS(12bad_weak_ptr, 8)

// Deleting destructors, which are called by the virtual table: they destroy the exception, by the functions above, and free it.
#define DELETES(name) \
    EXPORTED void name(void *exception) { \
        uint64_t before = lab_begin_release(SITE); \
        REAL(name, void, void *)(exception); \
        lab_end_release(before); \
    }
DELETES(_ZNSt11logic_errorD0Ev)
DELETES(_ZNSt13runtime_errorD0Ev)

#define SAYS(name) \
    EXPORTED const char *name(const void *exception) { \
        lab_note_access(exception, 2 * sizeof(void *), 0, SITE); \
        return REAL(name, const char *, const void *)(exception); \
    }
SAYS(_ZNKSt11logic_error4whatEv)
SAYS(_ZNKSt13runtime_error4whatEv)

#endif
