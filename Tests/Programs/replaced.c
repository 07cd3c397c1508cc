// Functions in whose place compilers put code of their own. The argument says which one meets a read of the other thread.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static char text[100];
int seen;

static void *look(void *unused) {
    seen = text[0];
    return unused;
}

int main(int count, char **words) {
    const char *which = count > 1 ? words[1] : "";
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    if (!strcmp(which, "strcpy")) strcpy(text, "x");
    if (!strcmp(which, "strcat")) strcat(text, "x");
    if (!strcmp(which, "strncpy")) strncpy(text, "x", sizeof text);
    if (!strcmp(which, "memmove")) memmove(text, "xyz", 3);
    if (!strcmp(which, "memset")) memset(text, 1, sizeof text);
    if (!strcmp(which, "bzero")) bzero(text, sizeof text);
    if (!strcmp(which, "sprintf")) sprintf(text, "%s", "abc");
    pthread_join(thread, NULL);
    return 0;
}
