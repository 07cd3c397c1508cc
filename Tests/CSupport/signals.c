#define _GNU_SOURCE
#include "csupport.h"

#include <signal.h>

int csupport_signal_thread(int process, int thread, int signal) { return tgkill(process, thread, signal); }
