// Replaces the functions that set the user and the groups of the process, such as setuid, by plain system calls. The
// kernel keeps these identities for each kernel thread, so the C library's functions send each of these threads a
// signal, to change them there. threadlab's own threads would not handle that signal. All threads of the program run on
// one kernel thread, so a system call there is enough. The change is not undone after an execution: a process that has
// given up rights cannot take them again.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <grp.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// As an argument of the system call: leaves this identity unchanged.
enum { SAME = -1 };

// Defines the function `name`, which notes its call, and makes the system call `number` with the arguments a, b and c.
// parameters, types, arguments: the function's own. In `types`, AND stands for a comma, which would end the macro's
// argument.
#define CHANGES(name, parameters, types, arguments, number, a, b, c) \
    EXPORTED int name parameters { \
        lab_note_call(#name); \
        lab_note_lasting(#name, SITE); \
        if (!is_controlled()) return REAL(name, int, types)arguments; \
        return (int)lab_system(number, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), 0, 0, 0); \
    }
#define AND ,
CHANGES(setuid, (uid_t user), uid_t, (user), SYS_setuid, user, 0, 0)
CHANGES(setgid, (gid_t group), gid_t, (group), SYS_setgid, group, 0, 0)
CHANGES(seteuid, (uid_t user), uid_t, (user), SYS_setresuid, SAME, user, SAME)
CHANGES(setegid, (gid_t group), gid_t, (group), SYS_setresgid, SAME, group, SAME)
CHANGES(setreuid, (uid_t real, uid_t effective), uid_t AND uid_t, (real, effective), SYS_setreuid, real, effective, 0)
CHANGES(setregid, (gid_t real, gid_t effective), gid_t AND gid_t, (real, effective), SYS_setregid, real, effective, 0)
CHANGES(setresuid, (uid_t real, uid_t effective, uid_t saved), uid_t AND uid_t AND uid_t, (real, effective, saved), SYS_setresuid, real, effective, saved)
CHANGES(setresgid, (gid_t real, gid_t effective, gid_t saved), gid_t AND gid_t AND gid_t, (real, effective, saved), SYS_setresgid, real, effective, saved)

EXPORTED int setgroups(size_t count, const gid_t *groups) {
    lab_note_call("setgroups");
    lab_note_lasting("setgroups", SITE);
    if (!is_controlled()) return REAL(setgroups, int, size_t, const gid_t *)(count, groups);
    if (groups) lab_note_access(groups, count * sizeof *groups, 0, SITE);
    return (int)lab_system(SYS_setgroups, count, (uint64_t)groups, 0, 0, 0, 0);
}

// Sets the groups that the user has in the system's lists. If they are more than Linux allows, the rest is left out.
EXPORTED int initgroups(const char *user, gid_t group) {
    lab_note_call("initgroups");
    lab_note_lasting("initgroups", SITE);
    if (!is_controlled()) return REAL(initgroups, int, const char *, gid_t)(user, group);
    gid_t groups[NGROUPS_MAX];
    int count = NGROUPS_MAX;
    int found = REAL(getgrouplist, int, const char *, gid_t, gid_t *, int *)(user, group, groups, &count);
    if (found < 0) count = NGROUPS_MAX;
    return (int)lab_system(SYS_setgroups, (uint64_t)count, (uint64_t)groups, 0, 0, 0, 0);
}

#endif
