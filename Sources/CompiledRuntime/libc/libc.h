// What the rest of the runtime needs of the files about the C library. The declarations are grouped by the file that
// implements them.
#pragma once

#include "process/state.h"
#include <stdarg.h>

// refused.c
// Ends the execution, because the program has called a function that threadlab does not support. Without the engine,
// returns the C library's function instead.
HIDDEN void *lab_refuse(const char *name, uint64_t site);

// texts.c
// Notes what formatted output reads: the format, and the texts among its arguments.
HIDDEN void lab_note_printed(const char *format, va_list original, uint64_t site);
