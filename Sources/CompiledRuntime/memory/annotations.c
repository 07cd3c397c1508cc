// The functions with which programs tell ThreadSanitizer something about themselves, or ask it something. They do so
// because 'threadlab cc' defines __SANITIZE_THREAD__, or because gcc has built them for ThreadSanitizer. These
// functions let such programs be linked. None of them orders accesses.
//
// If threadlab believed a program that says "ignore this" or "this is ordered", it would leave accesses out, and a
// proof would be about less than the program does. So only operations that it controls order accesses. A program that
// switches between stacks of its own is not supported: its execution ends at the first switch.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <stdlib.h>

#pragma clang diagnostic ignored "-Wunused-parameter"

// The first arguments of each annotation: the place in the source.
#define PLACE const char *file, int line
// Defines a function that does nothing.
#define IGNORED(name, ...) \
    EXPORTED void name(__VA_ARGS__) {}

// MARK: - Annotations of Valgrind and similar tools

IGNORED(AnnotateHappensBefore, PLACE, const volatile void *address)
IGNORED(AnnotateHappensAfter, PLACE, const volatile void *address)
IGNORED(WTFAnnotateHappensBefore, PLACE, const volatile void *address)
IGNORED(WTFAnnotateHappensAfter, PLACE, const volatile void *address)
IGNORED(AnnotateCondVarSignal, PLACE, const volatile void *condition)
IGNORED(AnnotateCondVarSignalAll, PLACE, const volatile void *condition)
IGNORED(AnnotateCondVarWait, PLACE, const volatile void *condition, const volatile void *lock)
IGNORED(AnnotateMutexIsNotPHB, PLACE, const volatile void *lock)
IGNORED(AnnotateMutexIsUsedAsCondVar, PLACE, const volatile void *lock)
IGNORED(AnnotateRWLockCreate, PLACE, const volatile void *lock)
IGNORED(AnnotateRWLockCreateStatic, PLACE, const volatile void *lock)
IGNORED(AnnotateRWLockDestroy, PLACE, const volatile void *lock)
IGNORED(AnnotateRWLockAcquired, PLACE, const volatile void *lock, long is_write)
IGNORED(AnnotateRWLockReleased, PLACE, const volatile void *lock, long is_write)
IGNORED(AnnotatePCQCreate, PLACE, const volatile void *queue)
IGNORED(AnnotatePCQDestroy, PLACE, const volatile void *queue)
IGNORED(AnnotatePCQPut, PLACE, const volatile void *queue)
IGNORED(AnnotatePCQGet, PLACE, const volatile void *queue)
IGNORED(AnnotatePublishMemoryRange, PLACE, const volatile void *memory, size_t size)
IGNORED(AnnotateUnpublishMemoryRange, PLACE, const volatile void *memory, size_t size)
IGNORED(AnnotateNewMemory, PLACE, const volatile void *memory, size_t size)
IGNORED(AnnotateTraceMemory, PLACE, const volatile void *memory)
IGNORED(AnnotateMemoryIsInitialized, PLACE, const volatile void *memory, size_t size)
IGNORED(AnnotateMemoryIsUninitialized, PLACE, const volatile void *memory, size_t size)
IGNORED(AnnotateBenignRace, PLACE, const volatile void *memory, const char *text)
IGNORED(AnnotateBenignRaceSized, PLACE, const volatile void *memory, size_t size, const char *text)
IGNORED(WTFAnnotateBenignRaceSized, PLACE, const volatile void *memory, size_t size, const char *text)
IGNORED(AnnotateExpectRace, PLACE, const volatile void *memory, const char *text)
IGNORED(AnnotateFlushExpectedRaces, PLACE)
IGNORED(AnnotateEnableRaceDetection, PLACE, int enable)
IGNORED(AnnotateFlushState, PLACE)
IGNORED(AnnotateIgnoreReadsBegin, PLACE)
IGNORED(AnnotateIgnoreReadsEnd, PLACE)
IGNORED(AnnotateIgnoreWritesBegin, PLACE)
IGNORED(AnnotateIgnoreWritesEnd, PLACE)
IGNORED(AnnotateIgnoreSyncBegin, PLACE)
IGNORED(AnnotateIgnoreSyncEnd, PLACE)
IGNORED(AnnotateThreadName, PLACE, const char *name)
IGNORED(AnnotateNoOp, PLACE, const volatile void *memory)

EXPORTED int RunningOnValgrind(void) { return 0; }
EXPORTED double ValgrindSlowdown(void) { return 10; }
// Answers the query whether happens-before alone orders accesses: yes.
EXPORTED const char *ThreadSanitizerQuery(const char *query) {
    const char *known = "pure_happens_before";
    while (*known && *query == *known) query++, known++;
    return *query == *known ? "1" : "0";
}

// MARK: - ThreadSanitizer's own

IGNORED(__tsan_acquire, void *address)
IGNORED(__tsan_release, void *address)
IGNORED(__tsan_mutex_create, void *lock, unsigned flags)
IGNORED(__tsan_mutex_destroy, void *lock, unsigned flags)
IGNORED(__tsan_mutex_pre_lock, void *lock, unsigned flags)
IGNORED(__tsan_mutex_post_lock, void *lock, unsigned flags, int recursion)
EXPORTED int __tsan_mutex_pre_unlock(void *lock, unsigned flags) { return 1; }
IGNORED(__tsan_mutex_post_unlock, void *lock, unsigned flags)
IGNORED(__tsan_mutex_pre_signal, void *address, unsigned flags)
IGNORED(__tsan_mutex_post_signal, void *address, unsigned flags)
IGNORED(__tsan_mutex_pre_divert, void *address, unsigned flags)
IGNORED(__tsan_mutex_post_divert, void *address, unsigned flags)
IGNORED(__tsan_flush_memory, void)
IGNORED(__tsan_on_report, void *report)
EXPORTED const char *__tsan_default_options(void) { return ""; }
EXPORTED const char *__tsan_default_suppressions(void) { return ""; }

// Accesses to objects whose own code is not instrumented: they count as accesses to one byte.
EXPORTED void *__tsan_external_register_tag(const char *type) { return NULL; }
IGNORED(__tsan_external_register_header, void *tag, const char *header)
IGNORED(__tsan_external_assign_tag, void *address, void *tag)
EXPORTED void __tsan_external_read(void *address, void *caller, void *tag) { lab_note_access(address, 1, 0, SITE); }
EXPORTED void __tsan_external_write(void *address, void *caller, void *tag) { lab_note_access(address, 1, 1, SITE); }

// Stacks that the program itself switches between. To make one is harmless, but not to switch to one.
static char a_fiber;
EXPORTED void *__tsan_get_current_fiber(void) { return &a_fiber; }
EXPORTED void *__tsan_create_fiber(unsigned flags) { return &a_fiber; }
IGNORED(__tsan_destroy_fiber, void *fiber)
IGNORED(__tsan_set_fiber_name, void *fiber, const char *name)
EXPORTED void __tsan_switch_to_fiber(void *fiber, unsigned flags) {
    if (!is_controlled()) return;
    static const char text[] = "switches between stacks of its own ('__tsan_switch_to_fiber'), which threadlab does not support";
    lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = SITE});
    abort();
}

// MARK: - Parts of ThreadSanitizer's reports, of which there are none

#define NOTHING(name, ...) \
    EXPORTED int name(__VA_ARGS__) { return 0; }
EXPORTED void *__tsan_get_current_report(void) { return NULL; }
NOTHING(__tsan_get_report_data, void *report)
NOTHING(__tsan_get_report_tag, void *report)
NOTHING(__tsan_get_report_stack, void *report)
NOTHING(__tsan_get_report_mop, void *report)
NOTHING(__tsan_get_report_loc, void *report)
NOTHING(__tsan_get_report_loc_object_type, void *report)
NOTHING(__tsan_get_report_mutex, void *report)
NOTHING(__tsan_get_report_thread, void *report)
NOTHING(__tsan_get_report_unique_tid, void *report)
NOTHING(__tsan_get_alloc_stack, void *address)
EXPORTED const char *__tsan_locate_address(void *address, char *name, size_t size, void **start, size_t *length) { return ""; }

// MARK: - Functions of all sanitizers

IGNORED(__sanitizer_print_stack_trace, void)
IGNORED(__sanitizer_report_error_summary, const char *summary)
IGNORED(__sanitizer_set_death_callback, void (*callback)(void))
IGNORED(__sanitizer_set_report_path, const char *path)
IGNORED(__sanitizer_set_report_fd, void *file)
IGNORED(__sanitizer_sandbox_on_notify, void *arguments)
IGNORED(__sanitizer_on_print, const char *text)
IGNORED(__sanitizer_cov_dump, void)
IGNORED(__sanitizer_cov_reset, void)
NOTHING(__sanitizer_install_malloc_and_free_hooks, void (*made)(const volatile void *, size_t), void (*freed)(const volatile void *))
EXPORTED int __sanitizer_acquire_crash_state(void) { return 1; }

static void give_no_text(char *text, size_t size, uint64_t site) {
    if (!size) return;
    lab_note_access(text, 1, 1, site);
    *text = 0;
}
EXPORTED void __sanitizer_symbolize_pc(void *place, const char *format, char *text, size_t size) { give_no_text(text, size, SITE); }
EXPORTED void __sanitizer_symbolize_global(void *data, const char *format, char *text, size_t size) { give_no_text(text, size, SITE); }

#define UNALIGNED(bits) \
    EXPORTED uint##bits##_t __sanitizer_unaligned_load##bits(const void *memory) { \
        uint##bits##_t value; \
        lab_note_access(memory, sizeof value, 0, SITE); \
        __builtin_memcpy(&value, memory, sizeof value); \
        return value; \
    } \
    EXPORTED void __sanitizer_unaligned_store##bits(void *memory, uint##bits##_t value) { \
        lab_note_access(memory, sizeof value, 1, SITE); \
        __builtin_memcpy(memory, &value, sizeof value); \
    }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)

#endif
