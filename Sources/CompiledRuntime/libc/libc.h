// Functions of the C library. By the file that has them.
#pragma once

#include "process/state.h"

// refused.c
// Ends the execution, under the engine. Otherwise it returns the next library's function.
HIDDEN void *lab_refuse(const char *name, uint64_t site);
