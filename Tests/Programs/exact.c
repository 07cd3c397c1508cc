// A thread uses bytes behind the end of a block of memory that is no multiple of 16 bytes long, or frees what is none; or uses all of its bytes,
// and no more.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *way = "all";
static char *text;

static void *use(void *unused) {
    if (!strcmp(way, "write")) text[5] = 0;
    if (!strcmp(way, "word")) *(int *)(text + 4) = 1;
    if (!strcmp(way, "copy")) strcpy(text, "hello");
    if (!strcmp(way, "print")) sprintf(text, "%d", 12345);
    if (!strcmp(way, "all")) {
        memcpy(text, "1234", 5);
        snprintf(text, 5, "%d", 12345);
        printf("%s %zu\n", text, strlen(text));
        text = realloc(text, 3);
        text[2] = 0;
        free(malloc(0));
        free(realloc(calloc(0, 8), 8));
    }
    if (!strcmp(way, "before")) free(text - 16);
    if (!strcmp(way, "beside")) free(text + 32);
    if (!strcmp(way, "moved")) text = realloc(text + 16, 100);
    return unused;
}

int main(int count, char **words) {
    if (count > 1) way = words[1];
    text = malloc(5);
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    free(text);
}
