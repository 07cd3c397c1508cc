// Pipes, pairs of sockets and event counters by which threads of one process speak to each other.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], other_ends[2], counter;
static int data;
static char much[1 << 17], taken[1 << 16];

static void *write_one(void *unused) {
    data = 1;
    assert(write(ends[1], "a", 1) == 1);
    return unused;
}

static void *close_end(void *unused) {
    close(ends[1]);
    return unused;
}

static void *write_much(void *unused) {
    assert(write(ends[1], much, sizeof much) == sizeof much);
    return unused;
}

static void *read_one(void *unused) {
    char byte;
    read(ends[0], &byte, 1);
    return unused;
}

// Asks, and waits for the answer.
static void *ask(void *unused) {
    char byte = 'q';
    assert(write(ends[1], &byte, 1) == 1);
    assert(read(ends[1], &byte, 1) == 1 && byte == 'r');
    return unused;
}

static void *print_one(void *unused) {
    data = 1;
    dprintf(ends[1], "a");
    return unused;
}

static void *count_up(void *unused) {
    uint64_t one = 1;
    assert(write(counter, &one, sizeof one) == sizeof one);
    return unused;
}

static void *write_other(void *unused) {
    assert(write(other_ends[1], "b", 1) == 1);
    return unused;
}

static int receive(void) {
    char byte = 0;
    ssize_t size = read(ends[0], &byte, 1);
    assert(size == 0 || (byte == 'a' && data == 1));
    return (int)size;
}

static void receive_much(void) {
    size_t size = 0;
    while (size < sizeof much) {
        ssize_t more = read(ends[0], taken, sizeof taken);
        assert(more > 0);
        size += (size_t)more;
    }
}

static void answer(void) {
    char byte;
    assert(read(ends[0], &byte, 1) == 1 && byte == 'q');
    byte = 'r';
    assert(write(ends[0], &byte, 1) == 1);
}

static void take_count(void) {
    uint64_t count;
    counter = eventfd(0, 0);
    pthread_t one, other;
    pthread_create(&one, NULL, count_up, NULL);
    pthread_create(&other, NULL, count_up, NULL);
    assert(read(counter, &count, sizeof count) == sizeof count);
    assert(count == 1 || count == 2);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}

// Which of two pipes is ready first is the schedule's choice; limit: in milliseconds.
static int poll_both(int limit) {
    struct pollfd files[2] = {{.fd = ends[0], .events = POLLIN}, {.fd = other_ends[0], .events = POLLIN}};
    int count = poll(files, 2, limit);
    assert(count == !!files[0].revents + !!files[1].revents);
    return count;
}

static void select_one(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
}

static void wait_for_event(void) {
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = ends[0]};
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
    assert(epoll_wait(epoll, &event, 1, -1) == 1 && event.data.fd == ends[0]);
    close(epoll);
}

static void cancel(void) {
    pthread_t one;
    void *result;
    pthread_create(&one, NULL, read_one, NULL);
    pthread_cancel(one);
    pthread_join(one, &result);
    assert(result == PTHREAD_CANCELED);
}

int main(int count, char **words) {
    const char *name = count > 1 ? words[1] : "one";
    if (strcmp(name, "counter") == 0) return take_count(), 0;
    if (strcmp(name, "sockets") == 0) assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    else assert(pipe(ends) == 0 && pipe2(other_ends, O_CLOEXEC) == 0);
    if (strcmp(name, "cancel") == 0) return cancel(), 0;
    void *(*body)(void *) = write_one;
    if (strcmp(name, "end") == 0) body = close_end;
    if (strcmp(name, "printed") == 0) body = print_one;
    if (strcmp(name, "much") == 0 || strcmp(name, "stuck") == 0) body = write_much;
    if (strcmp(name, "sockets") == 0) body = ask;
    if (strcmp(name, "nothing") == 0) body = write_other;
    pthread_t one, other;
    pthread_create(&one, NULL, body, NULL);
    if (strcmp(name, "one") == 0 || strcmp(name, "printed") == 0 || strcmp(name, "nothing") == 0) receive();
    if (strcmp(name, "end") == 0) assert(receive() == 0);
    if (strcmp(name, "much") == 0) receive_much();
    if (strcmp(name, "sockets") == 0) answer();
    if (strcmp(name, "select") == 0) select_one();
    if (strcmp(name, "epoll") == 0) wait_for_event();
    if (strcmp(name, "look") == 0) assert(poll_both(0) == 1);
    if (strcmp(name, "late") == 0) assert(poll_both(1000) <= 1);
    if (strcmp(name, "poll") == 0) {
        pthread_create(&other, NULL, write_other, NULL);
        int ready = poll_both(-1);
        assert(ready == 1 || ready == 2);
        pthread_join(other, NULL);
    }
    if (strcmp(name, "full") == 0) {
        pthread_join(one, NULL);
        assert(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
        assert(write(ends[1], much, sizeof much) < (ssize_t)sizeof much);
        assert(write(ends[1], much, 4096) == -1 && errno == EAGAIN);
        return 0;
    }
    pthread_join(one, NULL);
    return 0;
}
