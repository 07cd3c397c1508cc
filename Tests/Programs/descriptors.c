// Descriptors of channels, and those that are not the program's.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int sockets[2];

static void *send_in_parts(void *unused) {
    assert(write(sockets[1], "ab", 2) == 2);
    assert(write(sockets[1], "cd", 2) == 2);
    return unused;
}

static void *pass(void *unused) { return unused; }

static void close_all(void) {
    for (int file = 3; file < 1024; file++) close(file);
    int ends[2];
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        assert(pipe(ends) == 0);
        pthread_create(&thread, NULL, pass, NULL);
        pthread_join(thread, NULL);
        if (i == 0) closefrom(3);
        else close_range(3, ~0u, 0);
        assert(write(ends[1], "a", 1) == -1 && errno == EBADF);
    }
}

static void wait_in_vain(void) {
    struct timeval limit = {.tv_sec = 1000};
    char byte;
    setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    assert(recv(sockets[0], &byte, 1, 0) == -1 && errno == EAGAIN);
    assert(poll(NULL, 0, 1000000) == 0);
    assert(select(0, NULL, NULL, NULL, &limit) == 0);
}

static void receive_all(void) {
    char bytes[4];
    pthread_t thread;
    pthread_create(&thread, NULL, send_in_parts, NULL);
    assert(recv(sockets[0], bytes, 4, MSG_WAITALL) == 4 && memcmp(bytes, "abcd", 4) == 0);
    pthread_join(thread, NULL);
}

static void print_into_pipe(void) {
    int ends[2], before = dup(STDOUT_FILENO);
    char text[5];
    assert(pipe(ends) == 0 && dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO);
    printf("hello");
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    assert(read(ends[0], text, 5) == 5 && memcmp(text, "hello", 5) == 0);
}

static void make_many(void) {
    for (int i = 0; i < 1200; i++) {
        int ends[2];
        assert(pipe(ends) == 0);
        close(ends[0]);
        close(ends[1]);
    }
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    if (strcmp(way, "all") == 0) close_all();
    if (strcmp(way, "vain") == 0) wait_in_vain();
    if (strcmp(way, "whole") == 0) receive_all();
    if (strcmp(way, "printed") == 0) print_into_pipe();
    if (strcmp(way, "many") == 0) make_many();
    return 0;
}
