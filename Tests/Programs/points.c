// A thread that is cancelled ends at what it does with files, again and again: the argument says what.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *way;
static int file, cleaned, ends[2];

static void clean(void *unused) {
    (void)unused;
    // A handler can use files, too.
    assert(write(file, "x", 1) == 1);
    cleaned++;
}

static int is(const char *name) { return strcmp(way, name) == 0; }

static void *work(void *unused) {
    static char bytes[1];
    struct iovec parts = {bytes, 1};
    pthread_cleanup_push(clean, NULL);
    while (1) {
        if (is("write")) assert(write(file, bytes, 1) == 1);
        if (is("writev")) assert(writev(file, &parts, 1) == 1);
        if (is("pwrite")) assert(pwrite(file, bytes, 1, 0) == 1);
        if (is("readv")) assert(readv(file, &parts, 1) == 0);
        if (is("pread")) assert(pread(file, bytes, 1, 0) == 0);
        if (is("open")) assert(open("/", O_WRONLY) == -1);
        if (is("openat")) assert(openat(AT_FDCWD, "/", O_WRONLY) == -1);
        if (is("creat")) assert(creat("/", 0600) == -1);
        if (is("close")) assert(close(1023) == -1 && errno == EBADF);
        if (is("fsync")) assert(fsync(1023) == -1);
        if (is("fdatasync")) assert(fdatasync(1023) == -1);
        if (is("connect")) assert(connect(1023, NULL, 0) == -1);
        if (is("recv")) assert(recv(ends[0], bytes, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        assert(fsync(1023) == -1);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    }
    pthread_cleanup_pop(0);
    return unused;
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "write";
    pthread_t thread;
    void *result;
    file = open("/dev/null", O_RDWR);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && cleaned == 1);
    return 0;
}
