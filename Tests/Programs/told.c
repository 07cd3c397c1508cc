// A call writes or reads a variable that another thread uses at the same time: told WHICH.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static const char *which;
static int ends[2];
static union {
    char byte;
    int ends[2];
    tss_t key;
    struct timespec time;
    struct iovec part;
    struct sched_param priority;
} shared;

static int is(const char *name) { return strcmp(which, name) == 0; }

static void *call(void *unused) {
    struct iovec part = {&shared, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (is("read")) syscall(SYS_read, ends[0], &shared, 1);
    if (is("write")) syscall(SYS_write, ends[1], &shared, 1);
    if (is("getrandom")) syscall(SYS_getrandom, &shared, 1, 0);
    if (is("readv")) (void)!readv(ends[0], &part, 1);
    if (is("writev")) (void)!writev(ends[1], &part, 1);
    if (is("parts")) (void)!writev(ends[1], &shared.part, 1);
    if (is("recvfrom")) recvfrom(ends[0], &shared, 1, 0, NULL, NULL);
    if (is("recvmsg")) recvmsg(ends[0], &message, 0);
    if (is("pread")) (void)!pread(ends[0], &shared, 1, 0);
    if (is("pipe")) (void)!pipe(shared.ends);
    if (is("tss_create")) tss_create(&shared.key, NULL);
    if (is("sendto")) sendto(ends[1], &shared, 1, 0, NULL, 0);
    if (is("sendmsg")) sendmsg(ends[1], &message, 0);
    if (is("dprintf")) dprintf(ends[1], "%.1s", &shared.byte);
    if (is("sched_setparam")) sched_setparam(0, &shared.priority);
    if (is("thrd_sleep")) thrd_sleep(&shared.time, NULL);
    return unused;
}

int main(int count, char **words) {
    which = count > 1 ? words[1] : "";
    (void)!socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    (void)!write(ends[1], "x", 1);
    if (is("pread")) ends[0] = open("/dev/zero", O_RDONLY);
    if (is("parts")) shared.part = (struct iovec){words[0], 1};
    pthread_t thread;
    pthread_create(&thread, NULL, call, NULL);
    shared.ends[0]++;
    pthread_join(thread, NULL);
    return 0;
}
