// Changes something of the process, or of a file, that the next execution finds.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void *work(void *p) { return p; }

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "groups") == 0) (void)!setgroups(1, &(gid_t){0});
    if (count > 1) {
        int file = open("mark", O_RDONLY);
        // Every second execution finds it.
        if (file >= 0) return close(file), unlink("mark");
        close(open("mark", O_WRONLY | O_CREAT, 0600));
    } else {
        int file = open("/dev/null", O_RDONLY);
        if (file < 0) return 3;
        close(file);
        struct rlimit none = {3, 3};
        setrlimit(RLIMIT_NOFILE, &none);
    }
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
