#include "clab.h"

#include <unistd.h>

_Thread_local void *clab_current_slot;

pid_t clab_fork(void) { return fork(); }
