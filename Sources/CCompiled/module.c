// The build needs a source file in each C module. All that this module offers is in its header.
#include "CCompiled.h"

#if defined(__linux__)
// This object file is linked into programs. The symbol tells the engine that it is threadlab's own (process/state.h).
__attribute__((used, retain, section(".threadlab.sources"))) static const char threadlab_own_source;
#endif
