// Calls whose effect outlasts an execution. They change the process or the system, for example a file, and that is
// not undone, so a later execution may behave differently. Nothing is proved of a program that makes such a call. If
// executions differ, the report names the first of these calls.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "libc/forwarded.h"
#include <fcntl.h>
#include <sys/syscall.h>

// Called by the stubs below (FORWARDED). Notes the call, and returns the function of the C library, to which the stub
// jumps.
__attribute__((used, visibility("hidden"))) void *lab_pass_lasting(const char *name, uint64_t site) {
    if (!lab_is_runtime_code(site)) {
        lab_note_call(name);
        lab_note_lasting(name, site);
    }
    return lab_real_function(name);
}

// Whether open may change the file.
static int writes_by_flags(uint64_t flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

// Whether fopen may change the file: any letter may mean that except 'r', 'b', 'e' (close on exec) and 'm' (mmap).
static int writes_by_mode(const char *mode) {
    for (; *mode; mode++) {
        if (*mode != 'r' && *mode != 'b' && *mode != 'e' && *mode != 'm') return 1;
    }
    return 0;
}

void lab_note_opening(const char *name, uint64_t second, uint64_t third, uint64_t site) {
    int is_stream = is_same(name, "fopen") || is_same(name, "fopen64");
    int is_at = is_same(name, "openat") || is_same(name, "openat64");
    int is_path = is_same(name, "open") || is_same(name, "open64");
    int writes = is_same(name, "creat") || is_same(name, "creat64") || (is_stream && writes_by_mode((const char *)second)) ||
        (is_path && writes_by_flags(second)) || (is_at && writes_by_flags(third));
    if (writes) lab_note_lasting(name, site);
}

void lab_note_lasting_number(long number, uint64_t site) {
    static const struct {
        long number;
        const char *name;
    } lasting[] = {
        {SYS_landlock_restrict_self, "landlock_restrict_self"}, {SYS_seccomp, "seccomp"}, {SYS_prctl, "prctl"},
        {SYS_prlimit64, "prlimit"}, {SYS_setrlimit, "setrlimit"}, {SYS_unshare, "unshare"}, {SYS_setns, "setns"}, {SYS_chroot, "chroot"},
        {SYS_pivot_root, "pivot_root"}, {SYS_capset, "capset"}, {SYS_unlink, "unlink"}, {SYS_unlinkat, "unlinkat"}, {SYS_rename, "rename"},
        {SYS_renameat2, "renameat2"}, {SYS_keyctl, "keyctl"}, {SYS_ioprio_set, "ioprio_set"},
    };
    for (unsigned i = 0; i < sizeof lasting / sizeof *lasting; i++) {
        if (lasting[i].number == number) lab_note_lasting(lasting[i].name, site);
    }
}

#define LASTING(name) FORWARDED(name, lab_pass_lasting)

// Limits and rights of the process.
LASTING(setrlimit);
LASTING(setrlimit64);
LASTING(prlimit);
LASTING(prlimit64);
LASTING(prctl);
LASTING(chroot);
LASTING(unshare);
LASTING(setns);
LASTING(nice);
LASTING(setsid);
LASTING(setpgid);
// Files.
LASTING(unlink);
LASTING(unlinkat);
LASTING(remove);
LASTING(rename);
LASTING(renameat);
LASTING(mkdir);
LASTING(mkdirat);
LASTING(rmdir);
LASTING(symlink);
LASTING(chmod);
LASTING(fchmod);
LASTING(truncate);
LASTING(truncate64);
LASTING(ftruncate);
LASTING(ftruncate64);
LASTING(mkstemp);
LASTING(mkstemp64);
// What is shared with other processes.
LASTING(sem_open);
LASTING(sem_unlink);
LASTING(shm_open);
LASTING(shm_unlink);
LASTING(mq_open);
LASTING(mq_unlink);
LASTING(shmget);
LASTING(semget);
LASTING(msgget);

#endif
