// How a program ends before its threads do, or tries what cannot be done under the scheduler: its argument says by which function.
#define _GNU_SOURCE
#include <err.h>
#include <error.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *ending;

static int is(const char *name) { return strcmp(ending, name) == 0; }

static int nothing(void *unused) { return unused != NULL; }

static void make_processes(void) {
    static char stack[4096];
    char *words[] = {"true", NULL};
    pid_t child;
    if (is("vfork") && vfork() == 0) _exit(0);
    if (is("_Fork") && _Fork() == 0) _exit(0);
    if (is("clone")) clone(nothing, stack + sizeof stack, 0, NULL);
    if (is("execl")) execl("/bin/true", "true", NULL);
    if (is("execvp")) execvp("true", words);
    if (is("posix_spawn")) posix_spawn(&child, "/bin/true", NULL, NULL, words, words + 1);
    if (is("system")) printf("%d\n", system("exit 3") >> 8);
    if (is("popen")) pclose(popen("true", "r"));
}

static void *end(void *unused) {
    make_processes();
    if (is("err")) err(3, "%s", "number");
    if (is("errx")) errx(3, "no number %d", 7);
    if (is("error")) error(3, 0, "no number %d", 7);
    if (is("quick_exit")) quick_exit(3);
    if (is("assembly")) {
        long child;
        __asm__ volatile("syscall" : "=a"(child) : "a"(SYS_fork) : "rcx", "r11", "memory");
        if (child == 0) {
            pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
            pthread_mutex_lock(&mutex);
            _exit(7);
        }
        int status;
        waitpid((pid_t)child, &status, 0);
        // Its end, by threadlab; without threadlab, its own.
        if (WEXITSTATUS(status) != 3 && WEXITSTATUS(status) != 7) abort();
    }
    if (is("raw")) {
        pid_t child = (pid_t)syscall(SYS_fork);
        if (child == 0) _exit(5);
        int status;
        waitpid(child, &status, 0);
        if (WEXITSTATUS(status) != 5) abort();
    }
    return unused;
}

int main(int count, char **words) {
    pthread_t thread;
    ending = count > 1 ? words[1] : "";
    pthread_create(&thread, NULL, end, NULL);
    pthread_join(thread, NULL);
    return 0;
}
