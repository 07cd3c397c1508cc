#include "../../Sources/CContext/context.h"

#include "csupport.h"
#include "switching.h"

long csupport_switch_own(int rounds) { return switching_run(rounds); }
