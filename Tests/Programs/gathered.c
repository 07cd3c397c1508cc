// Threads that write several parts of memory by one call, into a pipe or a socket: gathered WHICH.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];
static char much[3][1 << 16], taken[1 << 12];

static void *write_pair(void *letters) {
    char *text = letters;
    struct iovec parts[] = {{text, 1}, {NULL, 0}, {text + 1, 1}};
    assert(writev(ends[1], parts, 3) == 2);
    return NULL;
}

static void *write_much(void *unused) {
    struct iovec parts[3];
    for (int i = 0; i < 3; i++) {
        memset(much[i], 'a' + i, sizeof much[i]);
        parts[i] = (struct iovec){much[i], sizeof much[i]};
    }
    assert(writev(ends[1], parts, 3) == sizeof much);
    return unused;
}

// What one thread writes stays together.
static void read_pairs(void) {
    for (int i = 0; i < 2; i++) {
        char one, other;
        assert(read(ends[0], &one, 1) == 1 && read(ends[0], &other, 1) == 1);
        assert((one == 'a' && other == 'b') || (one == 'c' && other == 'd'));
    }
}

static void read_messages(void) {
    for (int i = 0; i < 2; i++) assert(read(ends[0], taken, sizeof taken) == 2);
}

static void read_much(void) {
    for (size_t done = 0; done < sizeof much;) {
        ssize_t count = read(ends[0], taken, sizeof taken);
        assert(count > 0);
        for (ssize_t i = 0; i < count; i++) assert(taken[i] == (char)('a' + (done + (size_t)i) / sizeof much[0]));
        done += (size_t)count;
    }
}

int main(int count, char **words) {
    const char *which = count > 1 ? words[1] : "pipe";
    int is_much = !strncmp(which, "much", 4);
    if (!strcmp(which, "datagrams")) assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    else if (!strcmp(which, "packets")) assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    else if (!strcmp(which, "stream") || !strcmp(which, "much-stream")) assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    else assert(pipe(ends) == 0);
    assert(writev(ends[1], NULL, 0) == 0 && writev(ends[1], NULL, -1) == -1);
    pthread_t one, other;
    pthread_create(&one, NULL, is_much ? write_much : write_pair, "ab");
    if (!is_much) pthread_create(&other, NULL, write_pair, "cd");
    if (is_much) read_much();
    else if (!strcmp(which, "datagrams") || !strcmp(which, "packets")) read_messages();
    else read_pairs();
    pthread_join(one, NULL);
    if (!is_much) pthread_join(other, NULL);
    return 0;
}
