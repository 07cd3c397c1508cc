// The actions that the program has set for signals. The system does not know them: it calls threadlab's handlers, and
// those call the program's handler for a fault. All variables here are in the program's memory, and are restored with
// it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <signal.h>

// The action for each signal, by its number.
static struct sigaction known[MOST_SIGNALS + 1];

// Copies the actions with which the program has started.
static void remember_actions(void) {
    for (int number = 1; number <= MOST_SIGNALS; number++) {
        REAL(sigaction, int, int, const struct sigaction *, struct sigaction *)(number, NULL, &known[number]);
    }
}
// Before threadlab sets any.
LAB_PHASE(lab_at_start, LAB_ANY, remember_actions);

void lab_set_action(int number, const struct sigaction *action) { known[number] = *action; }

void lab_reset_action(int number) { known[number] = (struct sigaction){.sa_handler = SIG_DFL}; }

int lab_signal_action(int number, struct sigaction *action) {
    if (number <= 0 || number > MOST_SIGNALS) return -1;
    *action = known[number];
    return 0;
}

#endif
