#define _GNU_SOURCE
#include "clab.h"

#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

_Thread_local void *clab_current_slot;

pid_t clab_fork(void) { return fork(); }

void clab_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int clab_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void clab_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

pid_t clab_thread_id(void) { return gettid(); }

void clab_set_nice(int nice) { (void)setpriority(PRIO_PROCESS, (id_t)gettid(), nice); }
