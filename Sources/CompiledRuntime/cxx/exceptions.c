// Exceptions of C++ that several threads use: those that a std::exception_ptr points to, and the texts of exceptions.
// libstdc++ counts references to them with atomics, and dropping the last one destroys them. Its code is not
// instrumented, so each change of a count is made a step here, in programs with several threads.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dlfcn.h>
#include <stdio.h>

// What libstdc++ has in memory before a thrown object (Itanium C++ ABI). count: the number of references to the object.
// is_shared: whether there ever was a reference besides that of the throwing thread. The runtime keeps it in bytes that
// the library leaves unused; they are zero in a new block.
typedef struct {
    int32_t count;
    int32_t is_shared;
    // The exception as the compiler knows it: __cxa_exception.
    char rest[120];
} references_t;

// What libstdc++ has in memory before an exception object that a thread handles: __cxa_exception, or
// __cxa_dependent_exception.
typedef struct {
    // Only of a dependent exception, which std::rethrow_exception throws: the exception that was thrown first.
    void *primary;
    char pointers[32];
    int32_t handlers, selector;
    char more[32];
    // The class of the exception: "GNUCC++", and a last byte that is RETHROWN if it is a dependent one.
    uint64_t class;
    char rest[24];
} handled_t;

// HANDLED_SIZE, OBJECT_OFFSET: how far before the object handled_t and references_t begin, in bytes.
enum { HANDLED_SIZE = 112, OBJECT_OFFSET = 128, RETHROWN = 1 };
_Static_assert(sizeof(handled_t) == HANDLED_SIZE && sizeof(references_t) == OBJECT_OFFSET, "the sizes of the common ABI");
static const uint64_t CLASS = 0x474E5543432B2B00; // "GNUCC++" and the last byte

static references_t *references_of(void *object) { return (references_t *)object - 1; }

// Whether changes of counts are steps.
static int is_watched(void) { return is_controlled() && lab_state->unjoined > 1; }

// Changes a reference count by a step. The standard promises no order between threads that look at an exception, but
// its destruction comes after all of that: so taking a reference is relaxed, and dropping one is acquire-release. The
// step is on eight bytes, which contain both fields.
static void count(int32_t *counter, int change, uint64_t site) {
    lab_atomic_step(compiled_add, 2 * sizeof *counter, counter, change, 0, change > 0 ? __ATOMIC_RELAXED : __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, site);
}

static void add_reference(void *object, uint64_t site) {
    if (!object) return;
    // Noted before 'main', too, where no steps are taken.
    __atomic_store_n(&references_of(object)->is_shared, 1, __ATOMIC_RELAXED);
    if (is_watched()) count(&references_of(object)->count, 1, site);
}

// If is_shared is not set, no other thread can have a reference, and this takes no step. Whether it is set does not
// depend on the order of threads, because a thread sets it before it passes a reference to another thread.
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

// Counts as a write, because the pointer is null afterwards.
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

// If the exception has left a function of the library, lab_end_release was not called there: so the release ends here.
EXPORTED void *__cxa_begin_catch(void *exception) {
    if (is_controlled() && lab_is_program_code(SITE)) lab_state->fibers[lab_state->current].release_site = 0;
    return REAL(__cxa_begin_catch, void *, void *)(exception);
}

// The end of a catch block. The last one of an exception drops its reference.
EXPORTED void __cxa_end_catch(void) {
    if (!is_watched()) return REAL(__cxa_end_catch, void, void)();
    // The C++ library's data of a thread begins with the innermost exception that the thread handles.
    handled_t *handled = *(handled_t **)REAL(__cxa_get_globals, void *, void)();
    uint64_t before = lab_begin_release(SITE);
    if (handled && (handled->class & ~(uint64_t)0xFF) == CLASS && handled->handlers == 1) {
        int is_rethrown = (handled->class & 0xFF) == RETHROWN;
        drop_reference(is_rethrown ? handled->primary : handled + 1, SITE);
    }
    REAL(__cxa_end_catch, void, void)();
    lab_end_release(before);
}

// A dependent exception belongs to its thread alone. Its block is freed between the step for the count and the change
// of the count, and no other step may come between: so freeing it takes none.
EXPORTED void __cxa_free_dependent_exception(void *block) {
    if (!is_controlled()) return REAL(__cxa_free_dependent_exception, void, void *)(block);
    uint64_t *site = &lab_state->fibers[lab_state->current].release_site, before = *site;
    *site = 0;
    REAL(__cxa_free_dependent_exception, void, void *)(block);
    *site = before;
}

// Destroys the result, or the exception, of a promise or a packaged task.
EXPORTED void _ZNSt13__future_base12_Result_baseD2Ev(void *result) {
    uint64_t before = lab_begin_release(SITE);
    REAL(_ZNSt13__future_base12_Result_baseD2Ev, void, void *)(result);
    lab_end_release(before);
}

// MARK: - Exceptions that nothing catches

// What the compiler knows of a type: std::type_info. DO_CATCH: the number of the virtual function which says whether a
// handler for this type catches an exception of another one, and lets the pointer to that point to its part of this
// type. A name that begins with a star is unique in its file only.
typedef struct type {
    void *const *functions;
    const char *name;
} type_t;
enum { DO_CATCH = 4 };
typedef _Bool (*do_catch_t)(const type_t *type, const type_t *thrown, void **object, unsigned pointers);
// The number of `what` among the virtual functions of std::exception.
enum { WHAT = 2 };
typedef const char *(*what_t)(const void *exception);

// The type std::exception. Null: the program has no C++ library. Found before executions: at a crash, another thread may
// hold the lock of the dynamic linker.
static const type_t *base;

static void find_base(void) { base = lab_find(RTLD_DEFAULT, "_ZTISt9exception"); }
LAB_PHASE(lab_with_engine, LAB_ANY, find_base);

int lab_describe_exception(char *text, size_t size) {
    // `what` may call abort itself.
    static int is_describing;
    const type_t *type = base && !is_describing ? REAL(__cxa_current_exception_type, const type_t *, void)() : NULL;
    if (!type) return 0;
    const handled_t *handled = *(handled_t **)REAL(__cxa_get_globals, void *, void)();
    // An exception of another language or library has another form.
    if (!handled || (handled->class & ~(uint64_t)0xFF) != CLASS) return 0;
    void *object = (handled->class & 0xFF) == RETHROWN ? handled->primary : (void *)(handled + 1);
    int length = snprintf(text, size, "%s", type->name + (*type->name == '*'));
    int has_text = ((do_catch_t)base->functions[DO_CATCH])(base, type, &object, 1);
    if (!has_text || length < 0 || (size_t)length >= size) return 1;
    void *const *functions = *(void *const **)object;
    is_describing = 1;
    snprintf(text + length, size - (size_t)length, "\n%s", ((what_t)functions[WHAT])(object));
    is_describing = 0;
    return 1;
}

// MARK: - Texts

// What libstdc++ has in memory before the text of an exception. Copies of the exception share the text.
typedef struct {
    uint64_t length, capacity;
    // The number of references minus one; and whether there ever were several.
    int32_t count, is_shared;
} text_t;

// The text of the exception. Null: it is the empty text, which is never freed.
static text_t *text_of(const void *exception) {
    char *bytes = ((char *const *)exception)[1];
    return lab_is_in_heap((uint64_t)bytes) ? (text_t *)(void *)bytes - 1 : NULL;
}

static void copy_text(const void *exception, uint64_t site) {
    text_t *text = text_of(exception);
    if (!text) return;
    // Noted before 'main', too, where no steps are taken.
    __atomic_store_n(&text->is_shared, 1, __ATOMIC_RELAXED);
    if (is_watched()) count(&text->count, 1, site);
}

static void drop_text(void *exception, uint64_t site) {
    text_t *text = text_of(exception);
    if (text && is_watched() && text->is_shared) count(&text->count, -1, site);
}

// The size of an exception with a text: the pointers to its virtual table and to its text.
enum { SIZE_WITH_TEXT = 2 * sizeof(void *) };

// In the names below, C1 and C2 are the constructors of a complete object and of a base class, D1 and D2 such
// destructors, and D0 the destructor that also frees the object.
#define COPIES(name) \
    EXPORTED void name(void *exception, const void *other) { \
        lab_note_access(other, SIZE_WITH_TEXT, 0, SITE); \
        copy_text(other, SITE); \
        lab_note_access(exception, SIZE_WITH_TEXT, 1, SITE); \
        REAL(name, void, void *, const void *)(exception, other); \
    }
// Counts as a write of the other exception, which has the empty text afterwards.
#define MOVES(name) \
    EXPORTED void name(void *exception, void *other) { \
        lab_note_access(other, SIZE_WITH_TEXT, 1, SITE); \
        lab_note_access(exception, SIZE_WITH_TEXT, 1, SITE); \
        REAL(name, void, void *, void *)(exception, other); \
    }
#define DESTROYS(name) \
    EXPORTED void name(void *exception) { \
        lab_note_access(exception, SIZE_WITH_TEXT, 1, SITE); \
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

// Destructors of other exceptions of the library. Those with a text call the functions above for it. size: of the
// exception, in bytes.
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
ENDS(12domain_error, SIZE_WITH_TEXT)
ENDS(16invalid_argument, SIZE_WITH_TEXT)
ENDS(12length_error, SIZE_WITH_TEXT)
ENDS(12out_of_range, SIZE_WITH_TEXT)
ENDS(11range_error, SIZE_WITH_TEXT)
ENDS(14overflow_error, SIZE_WITH_TEXT)
ENDS(15underflow_error, SIZE_WITH_TEXT)
// With an error code.
ENDS(11regex_error, 24)
ENDS(12future_error, 32)
ENDS(12system_error, 32)
// Without a text.
ENDS(16nested_exception, 16)
ENDS(9exception, 8)
ENDS(8bad_cast, 8)
ENDS(9bad_alloc, 8)
ENDS(12bad_weak_ptr, 8)

// Deleting destructors, which are called through the virtual table: they destroy the exception, by the functions above,
// and free it.
#define DELETES(name) \
    EXPORTED void name(void *exception) { \
        uint64_t before = lab_begin_release(SITE); \
        REAL(name, void, void *)(exception); \
        lab_end_release(before); \
    }
DELETES(_ZNSt11logic_errorD0Ev)
DELETES(_ZNSt13runtime_errorD0Ev)

// The functions that return the text.
#define SAYS(name) \
    EXPORTED const char *name(const void *exception) { \
        lab_note_access(exception, SIZE_WITH_TEXT, 0, SITE); \
        return REAL(name, const char *, const void *)(exception); \
    }
SAYS(_ZNKSt11logic_error4whatEv)
SAYS(_ZNKSt13runtime_error4whatEv)

#endif
