// Functions of the C library. By the file that has them.
#pragma once

#include "process/state.h"

// common.c
// Before there is an engine, because what it allocates is the program's: where the C library has what it returns.
HIDDEN void lab_find_common(void);

// texts.c
// Looks up those that the runtime itself uses, also where memory cannot be written.
HIDDEN void lab_find_memory_functions(void);

// refused.c
// Ends the execution, under the engine. Otherwise it returns the next library's function.
HIDDEN void *lab_refuse(const char *name, uint64_t site);
HIDDEN void lab_find_noted_functions(void);
