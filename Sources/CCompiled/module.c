// The module has a header only.
#include "CCompiled.h"
