// How an execution ends before all of its threads have ended: by exit, a failed assertion, or a signal that would end
// the process.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <err.h>
#include <errno.h>
#include <error.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

void lab_finish(int code, uint64_t site) {
    lab_call_exit_handlers(code, site);
    fflush(NULL);
}

void lab_exit(int code, uint64_t site) {
    lab_finish(code, site);
    lab_state->fibers[lab_state->current].has_returned = !site;
    lab_ask((compiled_request_t){.kind = compiled_exit, .a = code, .site = site});
    abort();
}

EXPORTED void exit(int code) {
    if (is_controlled()) lab_exit(code, SITE);
    REAL(exit, void, int)(code);
    __builtin_unreachable();
}

// Ends the execution without calling handlers.
static void end_at_once(int code, uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_exit, .a = code, .site = site});
}

// Exits without handlers. Not under control in a process that the program has made by a system call of its own.
#define EXIT_AT_ONCE(name) \
    EXPORTED void name(int code) { \
        if (is_controlled() && lab_state->process == getpid()) end_at_once(code, SITE); \
        REAL(_exit, void, int)(code); \
        __builtin_unreachable(); \
    }

EXIT_AT_ONCE(_exit)
EXIT_AT_ONCE(_Exit)

EXPORTED void quick_exit(int code) {
    if (is_controlled()) {
        lab_call_quick_exit_handlers(code, SITE);
        end_at_once(code, SITE);
    }
    REAL(quick_exit, void, int)(code);
    __builtin_unreachable();
}

// MARK: - Messages that end the program: the C library would call its own exit

// Exits after the message was written.
static _Noreturn void leave(int code, uint64_t site) {
    if (is_controlled()) lab_exit(code, site);
    exit(code);
}

// err or errx, and their forms with a va_list: write the message by `warning`, and exit.
#define LAST_WORDS(name, warning) \
    EXPORTED void v##name(int code, const char *format, va_list values) { \
        lab_note_call(#name); \
        warning(format, values); \
        leave(code, SITE); \
    } \
    EXPORTED void name(int code, const char *format, ...) { \
        va_list values; \
        va_start(values, format); \
        lab_note_call(#name); \
        warning(format, values); \
        leave(code, SITE); \
    }

LAST_WORDS(err, vwarn)
LAST_WORDS(errx, vwarnx)

// Writes the message of `error` in the C library's format, and exits unless the code is 0. line: 0 if there is none.
static void complain(int code, int number, const char *file, unsigned line, const char *format, va_list values, uint64_t site) {
    lab_note_call("error");
    fflush(stdout);
    if (error_print_progname) error_print_progname();
    else fprintf(stderr, "%s:%s", program_invocation_name, line ? "" : " ");
    if (line) fprintf(stderr, "%s:%u: ", file, line);
    vfprintf(stderr, format, values);
    if (number) fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    fflush(stderr);
    error_message_count++;
    if (code) leave(code, site);
}

EXPORTED void error(int code, int number, const char *format, ...) {
    va_list values;
    va_start(values, format);
    complain(code, number, NULL, 0, format, values, SITE);
    va_end(values);
}

EXPORTED void error_at_line(int code, int number, const char *file, unsigned line, const char *format, ...) {
    va_list values;
    va_start(values, format);
    complain(code, number, file, line, format, values, SITE);
    va_end(values);
}

// MARK: - Failures

EXPORTED void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    if (is_controlled()) {
        lab_ask((compiled_request_t){.kind = compiled_assertion, .site = SITE, .text = text, .file = file, .line = line});
    }
    REAL(__assert_fail, void, const char *, const char *, unsigned, const char *)(text, file, line, function);
    __builtin_unreachable();
}

// std::__glibcxx_assert_fail of libstdc++: a check in a container has failed.
EXPORTED void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line, const char *function, const char *text) {
    if (is_controlled()) lab_ask((compiled_request_t){.kind = compiled_assertion, .site = SITE, .text = text});
    REAL(_ZSt21__glibcxx_assert_failPKciS0_S0_, void, const char *, int, const char *, const char *)(file, line, function, text);
    __builtin_unreachable();
}

EXPORTED void abort(void) {
    // The unwinder calls this function when it finds that a stack is damaged.
    lab_leave_walk();
    if (is_controlled()) {
        // If the program does not call this itself, the C++ library does, for an exception that nothing catches.
        char text[1 << 10];
        int is_thrown = !lab_is_program_code(SITE) && lab_describe_exception(text, sizeof text);
        lab_ask((compiled_request_t){.kind = compiled_crash, .a = SIGABRT, .text = is_thrown ? text : NULL, .site = SITE});
    }
    REAL(abort, void, void)();
    __builtin_unreachable();
}

// What kind of wrong access a fault is. is_touch: whether the runtime has made it in the place of the program, which is
// about to read or write.
static compiled_fault_t kind_of(int number, const siginfo_t *info, const ucontext_t *context, int is_touch) {
    // si_code is positive if the kernel reports a fault, and not if a process has sent the signal.
    if (info->si_code <= 0 || (number != SIGSEGV && number != SIGBUS)) return compiled_no_fault;
    // The kernel knows the address of a page fault only. Any other has a code that is not of this signal's own.
    if (number == SIGSEGV && info->si_code == SI_KERNEL) return compiled_impossible_address;
    if (is_touch) return compiled_bad_use;
    // Bits of the processor's error code of a page fault.
    enum { WRITE = 1 << 1, CALL = 1 << 4 };
    uint64_t code = (uint64_t)context->uc_mcontext.gregs[REG_ERR];
    return code & CALL ? compiled_bad_call : code & WRITE ? compiled_bad_write : compiled_bad_read;
}

// Handles a fault. The first write to a remembered page is one that the program must not notice. A fault while the
// runtime reads memory that may be damaged only ends the reading (lab_leave_walk). Any other fault of the program ends
// the execution, as it would end the process without threadlab, unless the program handles it. A fault of the engine
// ends the process.
static void handle_fault(int number, siginfo_t *info, void *context) {
    // si_code is positive if the kernel reports a fault, and not if a process has sent the signal.
    lab_write_t write = info->si_code > 0 && (number == SIGSEGV || number == SIGBUS) ? lab_take_first_write(info->si_addr) : lab_no_first_write;
    if (write == lab_first_write) return;
    lab_leave_walk();
    if (!is_controlled()) {
        lab_end_at_pages(write, 0);
        lab_die(number);
    }
    uint64_t site = lab_state->touching_site;
    compiled_fault_t kind = kind_of(number, info, context, site != 0);
    // One is added so that it looks like a return address, which lies behind its call.
    if (!site) site = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] + 1;
    lab_state->touching_site = 0;
    lab_end_at_pages(write, site);
    static const char no_stack[] = "uses more stack than the 8 MB that each thread has under threadlab";
    if (lab_is_out_of_stack(info->si_addr)) lab_end_at_limit(no_stack, site);
    compiled_request_t fault = {.kind = compiled_crash, .detail = kind, .a = number, .object = (uint64_t)info->si_addr, .site = site};
    if (!lab_enter_handler(number, info, context, fault)) lab_ask(fault);
}

static void handle_faults(void) {
    if (!lab_make_fault_stack()) lab_give_up("cannot handle faults of the program");
    struct sigaction action = {.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    lab_take_faults(&action);
}
LAB_PHASE(lab_before_all, LAB_ANY, handle_faults);

#endif
