// The build needs a source file in each C module. All that this module offers is in its header.
#include "CCompiled.h"

#if defined(__linux__)
// This object file is linked into compiled programs. By this symbol the engine knows that it is threadlab's, and not a
// source of the program that is not instrumented (as in CompiledRuntime/process/state.h).
__attribute__((used, retain, section(".threadlab.sources"))) static const char threadlab_own_source;
#endif
