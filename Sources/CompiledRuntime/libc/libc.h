// Functions of the C library. The declarations are grouped by the file that implements them.
#pragma once

#include "process/state.h"

// refused.c
// Under the engine: ends the execution. Otherwise returns the C library's function.
HIDDEN void *lab_refuse(const char *name, uint64_t site);
