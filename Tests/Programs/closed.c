// Threads that use descriptors which others close: the argument says how they are ordered.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

static const char *way;
static int file, ends[2];
static sem_t used;

static int is(const char *name) { return strcmp(way, name) == 0; }

// Until there is something to read: that is there already.
static void wait_for_pipe(void) {
    struct pollfd asked = {.fd = ends[0], .events = POLLIN};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    if (is("poll")) poll(&asked, 1, -1);
    else select(ends[0] + 1, &set, NULL, NULL, NULL);
}

static void *replace(void *unused) {
    int other = open("/dev/zero", O_RDONLY);
    dup2(other, file);
    close(other);
    return unused;
}

static void *use(void *unused) {
    char byte;
    if (is("poll") || is("select")) wait_for_pipe();
    else if (is("print")) dprintf(ends[1], "x");
    else if (is("pipe")) (void)!write(ends[1], "x", 1);
    else if (is("doubled")) replace(NULL);
    else if (is("copied")) close(fcntl(file, F_DUPFD_CLOEXEC, 0));
    else (void)!read(file, &byte, 1);
    if (is("ordered")) sem_post(&used);
    return unused;
}

static void *use_own(void *unused) {
    for (int i = 0; i < 2; i++) {
        char byte;
        int own = open("/dev/null", O_RDONLY);
        assert(read(own, &byte, 1) == 0);
        if (i == 0) assert(close(own) == 0);
        else fclose(fdopen(own, "r"));
    }
    return unused;
}

int main(int count, char **words) {
    way = count > 1 ? words[1] : "";
    pthread_t thread, other;
    sem_init(&used, 0, 0);
    file = open("/dev/null", O_RDONLY);
    assert(pipe(ends) == 0);
    assert(write(ends[1], "x", 1) == 1);
    // Numbers that are used again are ordered by the system.
    if (is("numbers")) {
        pthread_create(&thread, NULL, use_own, NULL);
        pthread_create(&other, NULL, use_own, NULL);
        pthread_join(other, NULL);
        pthread_join(thread, NULL);
        return 0;
    }
    pthread_create(&thread, NULL, use, NULL);
    if (is("replaced")) {
        pthread_create(&other, NULL, replace, NULL);
        pthread_join(other, NULL);
    }
    if (is("ordered")) while (sem_wait(&used) != 0) {}
    if (is("file") || is("ordered") || is("doubled") || is("copied")) close(file);
    if (is("pipe") || is("print")) close(ends[1]);
    if (is("poll") || is("select")) close(ends[0]);
    pthread_join(thread, NULL);
    if (is("joined")) close(file);
    return 0;
}
