// Calls by which the kernel writes memory that the program has not written yet.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

// Each on a page of its own.
#define PAGE __attribute__((aligned(4096))) static

PAGE struct stat status;
PAGE struct utsname name;
PAGE char folder[4096];
PAGE char bytes[4096];
PAGE char more[4096];
PAGE struct pollfd files[1];
PAGE struct tms spent;
PAGE struct rusage used;
PAGE int ends[2];
PAGE struct msghdr message;
PAGE fd_set set;
PAGE struct sockaddr_storage address;
PAGE socklen_t size;

static void *use(void *unused) {
    assert(stat("/", &status) == 0 && S_ISDIR(status.st_mode));
    assert(uname(&name) == 0 && strcmp(name.sysname, "Linux") == 0);
    assert(getcwd(folder, sizeof folder) && folder[0] == '/');
    assert(getrandom(bytes, 16, 0) == 16);
    assert(times(&spent) != (clock_t)-1);
    assert(getrusage(RUSAGE_SELF, &used) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(write(ends[0], "abcdef", 6) == 6);
    files[0] = (struct pollfd){.fd = ends[1], .events = POLLIN};
    assert(poll(files, 1, 0) == 1);
    FD_ZERO(&set);
    FD_SET(ends[1], &set);
    assert(select(ends[1] + 1, &set, NULL, NULL, &(struct timeval){0}) == 1);
    assert(readv(ends[1], &(struct iovec){more, 3}, 1) == 3 && memcmp(more, "abc", 3) == 0);
    struct iovec rest = {more + 8, 3};
    message.msg_iov = &rest;
    message.msg_iovlen = 1;
    assert(recvmsg(ends[1], &message, 0) == 3 && memcmp(more + 8, "def", 3) == 0);
    size = sizeof address;
    assert(getsockname(ends[0], (struct sockaddr *)&address, &size) == 0 && address.ss_family == AF_UNIX);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    return 0;
}
