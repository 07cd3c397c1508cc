// The runtime has no interface of its own: see CCompiled.h.
