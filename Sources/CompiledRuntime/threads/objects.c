// Steps on the program's own locks, conditions and semaphores (lab_use), and on the runtime's locks and conditions,
// from which it builds other objects, such as barriers and pipes (lab_inside).
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

int64_t lab_use(compiled_request_t request) {
    lab_check_use(request.object, 1, request.site);
    int64_t answer = lab_ask(request);
    // Another thread may have freed the object while this one waited to take the step.
    lab_check_use(request.object, 1, request.site);
    return answer;
}

int64_t lab_inside(compiled_kind_t kind, lab_place_t place, int64_t deadline) {
    // memory: of the program's object, at the place or beside it.
    uint64_t address = (uint64_t)place.address, memory = address & ~COMPILED_BESIDE;
    int is_use = memory == address || place.is_use;
    if (is_use) lab_check_use(memory, 1, place.site);
    // A wait, a signal or a broadcast at the place of a condition is shown as one on the program's condition: its
    // detail is the kind of a mutex. Other steps are shown as ones on a part of an object, or on a futex.
    int is_on_condition = place.is_condition && kind >= compiled_wait && kind <= compiled_broadcast;
    compiled_object_t other_kind = place.is_futex ? compiled_futex : compiled_part;
    compiled_request_t request = {
        .kind = kind, .detail = is_on_condition ? compiled_normal_mutex : other_kind, .object = address,
        .mutex = address, .a = kind == compiled_wait ? place.parties : 0, .b = deadline, .site = place.site, .text = place.text, .line = (uint32_t)place.thread};
    if (place.is_use && lab_state->unjoined > 1 && lab_is_in_heap(memory)) {
        request.size = 1;
        lab_note_atomic((void *)memory, 1, 0);
    }
    int64_t answer = lab_ask(request);
    if (place.is_use) lab_check_use(memory, 1, place.site);
    return answer;
}

void lab_destroy(const volatile void *object, uint32_t kind, uint64_t site) {
    if (!is_controlled() || lab_state->unjoined < 2) return;
    lab_use((compiled_request_t){.kind = compiled_destroy, .detail = kind, .object = (uint64_t)object, .site = site});
}

void lab_renew(const volatile void *object, uint32_t kind, int64_t value, uint64_t site) {
    if (!is_controlled()) return;
    lab_ask((compiled_request_t){
        .kind = compiled_forget, .detail = kind, .object = (uint64_t)object, .a = value, .b = lab_state->unjoined > 1, .site = site});
}

#endif
