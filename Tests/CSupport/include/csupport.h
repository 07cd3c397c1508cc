// What tests need and Swift cannot express.
#pragma once

// Sends a signal to one thread of a process. `int` stands for `pid_t`.
int csupport_signal_thread(int process, int thread, int signal);

// Switches back and forth between two stacks, so often, with values that must survive it in registers and on the stack. The sum of what
// both have computed, or -1 if something was lost. The first in the form that this processor has, the second with Boost.Context.
long csupport_switch_own(int rounds);
long csupport_switch_boost(int rounds);
