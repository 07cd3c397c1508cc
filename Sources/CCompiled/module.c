// The module has a header only.
#include "CCompiled.h"

#if defined(__linux__)
// It is linked into programs, too: see the runtime's process/state.h.
__attribute__((used, retain, section(".threadlab.sources"))) static const char threadlab_own_source;
#endif
