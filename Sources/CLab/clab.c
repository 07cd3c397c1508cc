#define _GNU_SOURCE
#include "clab.h"

#include <sys/resource.h>
#include <unistd.h>

_Thread_local void *clab_current_slot;

int clab_fork(void) { return fork(); }

int clab_thread_id(void) { return gettid(); }

void clab_set_nice(int nice) { (void)setpriority(PRIO_PROCESS, (id_t)gettid(), nice); }
