// What was destroyed and is used all the same. That is undefined, and on real threads often seems to work.
//
// The mark is in the object's own memory: initialization overwrites it, be it by a call or by a constant, and so does other use of the memory.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"

// Called at once after the step that uses it: whether that came before the destruction depends on the order of the two steps.
void lab_refuse_unmade(const volatile void *object, uint64_t site) {
    lab_ask((compiled_request_t){.kind = compiled_use_unmade, .object = (uint64_t)object, .site = site});
}
#endif
