// Reads how many steps two threads take, in one of several ways.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count, found[2];
static atomic_int sum;
static char word[20];

static void *work(void *unused) {
    for (int i = 0; i < count; i++) sum++;
    return unused;
}

static void *scan(void *place) {
    sscanf("7 seven", "%d %19s", (int *)place, word);
    return NULL;
}

static void *scan_short(void *unused) {
    int first;
    sscanf("7", "%d %d", &first, found);
    return unused;
}

static void read_count(const char *way) {
    char line[32] = "";
    size_t size = 0;
    char *longer = NULL;
    if (!strcmp(way, "scanf")) {
        if (scanf("%d %19s", &count, word) != 2) exit(2);
        if (!feof(stdin)) (void)getchar();
        assert(getchar() == EOF);
    } else if (!strcmp(way, "fgets")) {
        if (!fgets(line, sizeof line, stdin)) exit(2);
        count = atoi(line);
    } else if (!strcmp(way, "getline")) {
        if (getline(&longer, &size, stdin) < 0) exit(2);
        count = atoi(longer);
        free(longer);
    } else if (!strcmp(way, "read") || !strcmp(way, "copy")) {
        int file = strcmp(way, "copy") ? 0 : fcntl(0, F_DUPFD, 10);
        if (read(file, line, sizeof line - 1) < 1) exit(2);
        count = atoi(line);
    } else {
        int digit = getchar();
        if (digit == EOF) exit(2);
        count = digit - '0';
    }
}

int main(int argument_count, char **arguments) {
    const char *way = argument_count > 1 ? arguments[1] : "scanf";
    pthread_t thread;
    if (!strcmp(way, "race")) {
        pthread_create(&thread, NULL, scan, found);
        scan(found + 1);
        pthread_join(thread, NULL);
        return 0;
    }
    if (!strcmp(way, "short")) {
        pthread_create(&thread, NULL, scan_short, NULL);
        int before = found[0];
        pthread_join(thread, NULL);
        return before;
    }
    read_count(way);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(sum == 2 * count && count == 2);
    return 0;
}
