// Sets the user and the groups of the process, to what they are.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <unistd.h>

static void *set(void *unused) {
    uid_t user = getuid();
    gid_t group = getgid(), groups[64];
    int count = getgroups(64, groups);
    assert(setuid(user) == 0 && setgid(group) == 0 && seteuid(user) == 0 && setegid(group) == 0);
    assert(setreuid(user, user) == 0 && setregid(group, group) == 0);
    assert(setresuid(user, user, user) == 0 && setresgid(group, group, group) == 0);
    if (count >= 0) assert(setgroups((size_t)count, groups) == 0 || errno == EPERM);
    if (user != 0) assert(setuid(0) == -1 && errno == EPERM);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    pthread_join(thread, NULL);
    return 0;
}
