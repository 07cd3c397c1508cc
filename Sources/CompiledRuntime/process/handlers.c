// What is called when the program exits: the handlers of atexit and of C++'s static variables, then the destructor
// functions of the executable (`__attribute__((destructor))`, in its `.fini_array`). The C library would call its own
// exit, which ends the process.
//
// The lists are in the program's memory, so their contents are restored with it before the next execution.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

typedef struct {
    // At most one of the two is set. Both are null in an entry whose handler has been called or removed.
    void (*with_argument)(void *);
    void (*with_code)(int, void *);
    void *argument;
    // The library that registered it (its `__dso_handle`), whose unloading removes it. Null for on_exit.
    void *library;
} handler_t;

typedef struct {
    handler_t *handlers;
    size_t count, capacity;
} list_t;

static list_t exit_list, quick_list;

// The C library guards its list by a lock, which is a happens-before edge from a thread that registers a handler to the
// thread that calls it. Locking and unlocking here makes the same edge. Not needed while there is only one thread.
static void pass_lock(uint64_t site) {
    if (!is_controlled() || lab_state->unjoined < 2) return;
    compiled_request_t request = {.kind = compiled_lock, .detail = compiled_part, .object = (uint64_t)&exit_list, .b = COMPILED_NEVER, .site = site};
    lab_ask(request);
    request.kind = compiled_unlock;
    lab_ask(request);
}

static int add(list_t *list, handler_t handler, uint64_t site) {
    pass_lock(site);
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 32;
        handler_t *handlers = realloc(list->handlers, capacity * sizeof *handlers);
        if (!handlers) return -1;
        list->handlers = handlers;
        list->capacity = capacity;
    }
    list->handlers[list->count++] = handler;
    return 0;
}

EXPORTED int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
    if (!lab_is_hosted()) return REAL(__cxa_atexit, int, void (*)(void *), void *, void *)(function, argument, library);
    return add(&exit_list, (handler_t){.with_argument = function, .argument = argument, .library = library}, SITE);
}

EXPORTED int on_exit(void (*function)(int, void *), void *argument) {
    if (!lab_is_hosted()) return REAL(on_exit, int, void (*)(int, void *), void *)(function, argument);
    return add(&exit_list, (handler_t){.with_code = function, .argument = argument}, SITE);
}

EXPORTED int __cxa_at_quick_exit(void (*function)(void *), void *library) {
    if (!lab_is_hosted()) return REAL(__cxa_at_quick_exit, int, void (*)(void *), void *)(function, library);
    return add(&quick_list, (handler_t){.with_argument = function, .library = library}, SITE);
}

static void call(handler_t handler, int code) {
    if (handler.with_code) handler.with_code(code, handler.argument);
    else if (handler.with_argument) handler.with_argument(handler.argument);
}

// Calls the handlers in reverse order of registration; one that a handler registers is called next. Like the C library,
// takes the lock to remove an entry and does not hold it during the call.
static void call_all(list_t *list, int code, uint64_t site) {
    while (1) {
        pass_lock(site);
        if (list->count == 0) return;
        handler_t last = list->handlers[--list->count];
        // Cleared, because the search for leaks would take the old entry for a pointer to the argument's block.
        list->handlers[list->count] = (handler_t){0};
        call(last, code);
    }
}

// Called when a library is about to be unloaded: calls its exit handlers and removes them, and removes its quick-exit
// handlers without a call. With null, which means all libraries, does nothing: `lab_call_exit_handlers` does that.
EXPORTED void __cxa_finalize(void *library) {
    if (!lab_is_hosted()) {
        REAL(__cxa_finalize, void, void *)(library);
        return;
    }
    for (size_t i = exit_list.count; library && i-- > 0;) {
        handler_t handler = exit_list.handlers[i];
        if (handler.library != library) continue;
        exit_list.handlers[i] = (handler_t){0};
        call(handler, 0);
    }
    for (size_t i = 0; library && i < quick_list.count; i++) {
        if (quick_list.handlers[i].library == library) quick_list.handlers[i] = (handler_t){0};
    }
}

// MARK: - Destructors of the program's file

typedef struct {
    void (**functions)(void);
    size_t size;
} destructors_t;

static int find_destructors(struct dl_phdr_info *module, size_t size, void *memory) {
    (void)size;
    destructors_t *found = memory;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        if (module->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        for (ElfW(Dyn) *entry = (ElfW(Dyn) *)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr); entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_FINI_ARRAY) found->functions = (void (**)(void))(module->dlpi_addr + entry->d_un.d_ptr);
            if (entry->d_tag == DT_FINI_ARRAYSZ) found->size = entry->d_un.d_val;
        }
    }
    // A nonzero result ends the iteration: the first module is the executable, and no other is wanted.
    return 1;
}

static void call_destructors(void) {
    destructors_t found = {NULL, 0};
    dl_iterate_phdr(find_destructors, &found);
    for (size_t i = found.size / sizeof *found.functions; found.functions && i-- > 0;) found.functions[i]();
}

// MARK: - Exits

int lab_has_exit_handlers(void) {
    destructors_t found = {NULL, 0};
    dl_iterate_phdr(find_destructors, &found);
    // The first entry of `.fini_array` is the compiler's (`__do_global_dtors_aux`), which every executable has.
    return exit_list.count > 0 || found.size / sizeof *found.functions > 1;
}

void lab_call_exit_handlers(int code, uint64_t site) {
    lab_destroy_variables();
    call_all(&exit_list, code, site);
    call_destructors();
}

void lab_call_quick_exit_handlers(int code, uint64_t site) { call_all(&quick_list, code, site); }

#endif
