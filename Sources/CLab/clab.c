// Implements clab.h, except for endings (ending.c) and ThreadSanitizer's reports (sanitizer.c).
#define _GNU_SOURCE
#include "clab.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

// Nanoseconds in a second.
static const int64_t CLAB_SECOND = 1000000000;

_Thread_local void *clab_current_slot;

// A race by design: the watched thread writes without synchronization. The caller has seen no progress of it for long.
__attribute__((no_sanitize("thread"))) void *clab_peek(void **address) { return *(void *volatile *)address; }

uint64_t clab_repeat(uint64_t state, uint64_t factor, uint64_t addend, uint64_t turns) {
    for (uint64_t turn = 0; turn < turns; turn++) {
        state = state * factor + addend;
        __asm__ volatile("" : "+r"(state) : : "memory");
    }
    return state;
}

int clab_fork(void) { return fork(); }

int clab_fix_addresses(void) {
    // With this number, the call changes nothing.
    static const unsigned long ONLY_ASK = 0xFFFFFFFF;
    int now = personality(ONLY_ASK);
    return now != -1 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1 ? 0 : errno;
}

// Blocks all signals for the calling thread. Returns the mask that the thread had before.
static sigset_t clab_block_all_signals(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    return before;
}

void clab_call_on_new_thread(void *(*function)(void *), void *argument) {
    enum { STACK_SIZE = 8 << 20 };
    // Before the new thread exists, because it may send the process a signal at once.
    sigset_t before = clab_block_all_signals();
    pthread_attr_t attributes;
    pthread_t thread;
    int failure = pthread_attr_init(&attributes);
    if (!failure) failure = pthread_attr_setstacksize(&attributes, STACK_SIZE);
    if (!failure) failure = pthread_attr_setsigmask_np(&attributes, &before);
    if (!failure) failure = pthread_create(&thread, &attributes, function, argument);
    if (failure) {
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        function(argument);
        return;
    }
    pthread_join(thread, NULL);
}

int clab_create_undisturbed_thread(unsigned long *thread, void *(*function)(void *), void *argument) {
    sigset_t before = clab_block_all_signals();
    int failure = pthread_create(thread, NULL, function, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

void clab_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int clab_fork_sibling(void) { return (int)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0); }

int clab_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int clab_terminal_rows(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

void clab_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

int clab_backtrace(void **frames, int most) { return backtrace(frames, most); }

int clab_thread_id(void) { return gettid(); }

int clab_processor_count(void) {
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

_Noreturn void clab_end_thread(void) {
    for (;;) syscall(SYS_exit, 0);
}

// Whether the calling thread has received the signal of `clab_note_signal`.
static _Thread_local volatile sig_atomic_t clab_signaled __attribute__((tls_model("initial-exec")));

static void clab_handle(int number) {
    (void)number;
    clab_signaled = 1;
}

int clab_note_signal(int number) {
    struct sigaction action = {.sa_handler = clab_handle, .sa_flags = SA_RESTART};
    return sigaction(number, &action, NULL);
}

int clab_take_signal(void) {
    int was = clab_signaled;
    if (was) clab_signaled = 0;
    return was;
}

int clab_block_signal(int number, int isBlocked) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

int clab_wait_for_signal(int number, int64_t deadline) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = deadline - ((int64_t)now.tv_sec * CLAB_SECOND + now.tv_nsec);
    if (left < 0) left = 0;
    struct timespec time = {.tv_sec = left / CLAB_SECOND, .tv_nsec = left % CLAB_SECOND};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    if (sigtimedwait(&set, NULL, &time) == number) return 0;
    return errno == EAGAIN ? ETIMEDOUT : errno;
}

void clab_set_nice(int nice) { (void)setpriority(PRIO_PROCESS, (id_t)gettid(), nice); }

// Under ThreadSanitizer, timed waits use the real-time clock (clab.h).
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLAB_REAL_TIME 1
#endif
#endif

static struct timespec clab_time(int64_t nanoseconds) {
    return (struct timespec){.tv_sec = nanoseconds / CLAB_SECOND, .tv_nsec = nanoseconds % CLAB_SECOND};
}

#ifdef CLAB_REAL_TIME
static int64_t clab_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * CLAB_SECOND + t.tv_nsec;
}

// The moment of the monotonic clock as a time of the real-time clock; the latest possible time if the sum overflows.
static struct timespec clab_real_time(int64_t deadline) {
    int64_t shift = clab_clock(CLOCK_REALTIME) - clab_clock(CLOCK_MONOTONIC), sum;
    if (__builtin_add_overflow(deadline, shift, &sum)) sum = INT64_MAX;
    return clab_time(sum < 0 ? 0 : sum);
}
#endif

int clab_join_until(unsigned long thread, int64_t deadline) {
#ifdef CLAB_REAL_TIME
    struct timespec t = clab_real_time(deadline);
    return pthread_timedjoin_np(thread, NULL, &t);
#else
    struct timespec t = clab_time(deadline);
    return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &t);
#endif
}

int clab_read_lock_until(void *rwlock, int64_t deadline) {
#ifdef CLAB_REAL_TIME
    struct timespec t = clab_real_time(deadline);
    return pthread_rwlock_timedrdlock(rwlock, &t);
#else
    struct timespec t = clab_time(deadline);
    return pthread_rwlock_clockrdlock(rwlock, CLOCK_MONOTONIC, &t);
#endif
}

int clab_write_lock_until(void *rwlock, int64_t deadline) {
#ifdef CLAB_REAL_TIME
    struct timespec t = clab_real_time(deadline);
    return pthread_rwlock_timedwrlock(rwlock, &t);
#else
    struct timespec t = clab_time(deadline);
    return pthread_rwlock_clockwrlock(rwlock, CLOCK_MONOTONIC, &t);
#endif
}

int clab_semaphore_wait_until(void *semaphore, int64_t deadline) {
#ifdef CLAB_REAL_TIME
    struct timespec t = clab_real_time(deadline);
    return sem_timedwait(semaphore, &t) == 0 ? 0 : errno;
#else
    struct timespec t = clab_time(deadline);
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &t) == 0 ? 0 : errno;
#endif
}

int clab_private_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

// The start addresses of the functions of Swift's runtime that are on the stack between the release of an object and
// its `deinit`. These functions call a program's code only to run a `deinit`.
enum { CLAB_MOST_RELEASERS = 16 };
static uintptr_t clab_releasers[CLAB_MOST_RELEASERS];
static int clab_releaser_count;

extern void swift_release(void *object);

static _Unwind_Reason_Code clab_look_for_releaser(struct _Unwind_Context *frame, void *isFound) {
    uintptr_t start = _Unwind_GetRegionStart(frame);
    for (int i = 0; i < clab_releaser_count; i++) {
        if (clab_releasers[i] != start) continue;
        *(int *)isFound = 1;
        return _URC_END_OF_STACK;
    }
    return _URC_NO_REASON;
}

int clab_is_in_deinit(void) {
    int isFound = 0;
    _Unwind_Backtrace(clab_look_for_releaser, &isFound);
    return isFound;
}

// Notes the frames between clab_note_deinit and clab_learn_deinit. isInside: whether the first has been visited.
static _Unwind_Reason_Code clab_note_releaser(struct _Unwind_Context *frame, void *isInside) {
    uintptr_t start = _Unwind_GetRegionStart(frame);
    if (start == (uintptr_t)clab_learn_deinit) return _URC_END_OF_STACK;
    if (start == (uintptr_t)clab_note_deinit) {
        *(int *)isInside = 1;
    } else if (*(int *)isInside && start != 0 && clab_releaser_count < CLAB_MOST_RELEASERS) {
        clab_releasers[clab_releaser_count++] = start;
    }
    return _URC_NO_REASON;
}

// These two functions must have frames of their own that exist during the calls that they make: so neither is inlined,
// and neither call is a tail call.
__attribute__((noinline)) void clab_note_deinit(void) {
    int isInside = 0;
    _Unwind_Backtrace(clab_note_releaser, &isInside);
    __asm__ volatile("" ::"r"(&isInside) : "memory");
}

__attribute__((noinline)) void clab_learn_deinit(void *object) {
    swift_release(object);
    __asm__ volatile("" ::: "memory");
}

// `swift_once`, which Swift's compiler calls before each access of a global or static variable that has an initializer.
// The definition below precedes that of Swift's runtime for all code of the program, however it is linked. It calls the
// original: outside a controlled run always, and in one to run the initializer.
typedef void clab_swift_once(void *variable, void (*initializer)(void *), void *context);

// The slow path of the original. It is linked if Swift's runtime is linked statically, where this file replaces
// `swift_once`.
extern clab_swift_once
    clab_once_slow __asm__("_ZN5swift14threading_impl9once_slowERNS0_6once_tEPFvPvES3_") __attribute__((weak));

static clab_swift_once *clab_original_once(void) {
    if (clab_once_slow) return clab_once_slow;
    static clab_swift_once *original;
    clab_swift_once *found = __atomic_load_n(&original, __ATOMIC_ACQUIRE);
    if (!found) {
        found = (clab_swift_once *)dlsym(RTLD_NEXT, "swift_once");
        __atomic_store_n(&original, found, __ATOMIC_RELEASE);
    }
    return found;
}

static _Thread_local clab_onces_t *clab_current_onces __attribute__((tls_model("initial-exec")));

clab_onces_t *clab_enter_onces(clab_onces_t *onces) {
    clab_onces_t *before = clab_current_onces;
    clab_current_onces = onces;
    return before;
}

void clab_leave_onces(clab_onces_t *before) { clab_current_onces = before; }

// An initializer of a controlled run, as the argument of `clab_initialize`.
typedef struct {
    void (*initializer)(void *);
    void *context;
    clab_onces_t *onces;
    clab_once_t once;
} clab_initialization_t;

static void clab_initialize(void *argument) {
    clab_initialization_t *it = argument;
    it->once.next = it->onces->first;
    it->onces->first = &it->once;
    it->onces->begin(&it->once);
    it->initializer(it->context);
}

void swift_once(void *variable, void (*initializer)(void *), void *context);

void swift_once(void *variable, void (*initializer)(void *), void *context) {
    // The first word is negative once the variable is initialized.
    if (__atomic_load_n((int32_t *)variable, __ATOMIC_ACQUIRE) < 0) return;
    clab_onces_t *onces = clab_current_onces;
    if (!onces) {
        clab_original_once()(variable, initializer, context);
        return;
    }
    for (clab_once_t *once = onces->first; once; once = once->next) {
        if (once->variable != variable) continue;
        onces->wait(once);
        return;
    }
    clab_initialization_t it = {initializer, context, onces, {NULL, variable, 0, 0}};
    clab_original_once()(variable, clab_initialize, &it);
    for (clab_once_t **link = &onces->first; *link; link = &(*link)->next) {
        if (*link != &it.once) continue;
        *link = it.once.next;
        onces->end(&it.once);
        return;
    }
}

void clab_abandon_onces(clab_onces_t *onces) {
    for (clab_once_t *once = onces->first; once; once = once->next) {
        // The second word is a futex with the number of the thread that holds it (FUTEX_LOCK_PI). If that is not this
        // thread's number, it cannot be released here: the next thread that needs the variable never stops waiting.
        uint32_t *lock = (uint32_t *)once->variable + 1, own = (uint32_t)gettid();
        if ((__atomic_load_n(lock, __ATOMIC_ACQUIRE) & FUTEX_TID_MASK) != own) continue;
        if (__atomic_compare_exchange_n(lock, &own, 0, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
        syscall(SYS_futex, lock, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
    }
    onces->first = NULL;
}

// An entry of Swift's list of the thread's accesses, which is on the thread's stack. link: the address of the next
// entry; its lowest bit says whether the variable is changed (Exclusivity.cpp). Swift removes an entry by its address,
// and reads the variable only to compare it, so the variable can be replaced.
typedef struct {
    void *variable;
    void *place;
    uintptr_t link;
} access_entry_t;
extern void swift_beginAccess(void *variable, access_entry_t *entry, uintptr_t flags, void *place);
extern void swift_endAccess(access_entry_t *entry);

void clab_share_access(void *variable) {
    enum { tracking = 0x20 }; // asks Swift to add the access to its list
    // An access of this function's own, which becomes the first entry of the list.
    access_entry_t first = {0, 0, 0};
    swift_beginAccess(&first, &first, tracking, 0);
    // Swift has not added the access to the list: it does not check accesses.
    if (!first.variable) return;
    for (access_entry_t *next = (access_entry_t *)(first.link & ~(uintptr_t)1); next;
         next = (access_entry_t *)(next->link & ~(uintptr_t)1)) {
        if (next->variable == variable) next->variable = next;
    }
    swift_endAccess(&first);
}

// Runs in the child. Returns only if the program cannot be started, with the error number.
static int become(
    char *const *words, char *const *environment, const char *folder, int output, int keepsErrors, pid_t parent) {
    // A process group of its own, so that all its processes can be ended together.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before the call took effect.
    if (getppid() != parent) _exit(0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0) return errno;
    if (dup2(keepsErrors ? output : nothing, STDERR_FILENO) < 0) return errno;
    if (nothing > STDERR_FILENO) close(nothing);
    if (chdir(folder) != 0) return errno;
    execvpe(words[0], words, environment);
    return errno;
}

int clab_spawn(
    char *const *words, char *const *environment, const char *folder, int output, int keepsErrors, int *process) {
    int ends[2];
    // The child reports an error through this pipe. It closes when the child becomes the program.
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        // Neither descriptor may have the number of a standard stream.
        int report = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1), target = fcntl(output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        int failure = report < 0 || target < 0 ? errno : become(words, environment, folder, target, keepsErrors, parent);
        ssize_t written = write(report < 0 ? ends[1] : report, &failure, sizeof failure);
        // The parent reads only the pipe.
        enum { NOT_STARTED = 127, NOT_REPORTED = 126 };
        _exit(written == sizeof failure ? NOT_STARTED : NOT_REPORTED);
    }
    int failure = child < 0 ? errno : 0;
    close(ends[1]);
    ssize_t size;
    do size = child < 0 ? 0 : read(ends[0], &failure, sizeof failure);
    while (size < 0 && errno == EINTR);
    close(ends[0]);
    if (failure && child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
    *process = child;
    return failure;
}

const char *clab_variable_at(uintptr_t address, uintptr_t *start) {
    Dl_info info;
    if (!dladdr((const void *)address, &info) || !info.dli_sname) return NULL;
    *start = (uintptr_t)info.dli_saddr;
    return info.dli_sname;
}

// rest: the number of bytes from the address to the end of its segment. 0: not found.
typedef struct {
    uintptr_t address, rest;
} segment_search_t;

static int look_at_segments(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    segment_search_t *search = context;
    for (int number = 0; number < file->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &file->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R)) continue;
        uintptr_t offset = search->address - (file->dlpi_addr + segment->p_vaddr);
        if (offset >= segment->p_memsz) continue;
        search->rest = segment->p_memsz - offset;
        return 1;
    }
    return 0;
}

uintptr_t clab_rest_of_segment(uintptr_t address) {
    segment_search_t search = {address, 0};
    dl_iterate_phdr(look_at_segments, &search);
    return search.rest;
}
