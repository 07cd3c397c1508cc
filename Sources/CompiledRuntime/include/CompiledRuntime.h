// Empty, because a module needs a header. The runtime's interface with the engine is in CCompiled.h.
