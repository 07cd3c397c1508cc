// Input streams of C++ (libstdc++). The library's code is not instrumented, so what it changes is noted here: a
// stream's state, and the pointers of its buffer. What is read from a string depends on the schedule alone. What is
// read from elsewhere does not, so then nothing is proved.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "cxx/layout.h"
#include <dlfcn.h>

// In an input stream: the offset and the size of the number of bytes that its last unformatted input has read.
enum { COUNT = 8, COUNT_SIZE = 8 };

// std::cin; null: not looked up yet, or the program has none.
LAB_KEPT(void *, standard);

static int is_standard(const void *stream) {
    if (!*standard) *standard = lab_find(RTLD_DEFAULT, "_ZSt3cin");
    return *standard == stream;
}

// Notes the accesses that all input functions have in common.
static void use(void *stream, uint64_t site) {
    if (!is_controlled()) return;
    lab_note_access(stream, POINTER, 0, site);
    char *base = base_of(stream);
    char **buffer = *(char ***)(base + BUFFER);
    if (!buffer || !lab_is_string_buffer(buffer)) lab_note_call("std::istream");
    // The C++ standard allows several threads to read from std::cin at once, so that is no data race. What each of them
    // reads does not follow from the schedule alone.
    if (is_standard(stream)) return;
    lab_note_access((char *)stream + COUNT, COUNT_SIZE, 1, site);
    lab_note_access(base + TIED, BASE_SIZE - TIED, 0, site);
    lab_use_tied(base, site);
    lab_note_access(base + SETTINGS, STATE + STATE_SIZE - SETTINGS, 1, site);
    // The offset is counted in pointers here.
    if (buffer) lab_note_access(buffer + POINTERS / POINTER, POINTERS_SIZE, 1, site);
}

// MARK: - Values

#define READS_VALUE(name, type) \
    EXPORTED void *name(void *stream, type *value) { \
        use(stream, SITE); \
        lab_note_access(value, sizeof *value, 1, SITE); \
        return REAL(name, void *, void *, type *)(stream, value); \
    }
READS_VALUE(_ZNSirsERb, _Bool)
READS_VALUE(_ZNSirsERs, short)
READS_VALUE(_ZNSirsERt, unsigned short)
READS_VALUE(_ZNSirsERi, int)
READS_VALUE(_ZNSirsERj, unsigned)
READS_VALUE(_ZNSirsERl, long)
READS_VALUE(_ZNSirsERm, unsigned long)
READS_VALUE(_ZNSirsERx, long long)
READS_VALUE(_ZNSirsERy, unsigned long long)
READS_VALUE(_ZNSirsERf, float)
READS_VALUE(_ZNSirsERd, double)
READS_VALUE(_ZNSirsERe, long double)
READS_VALUE(_ZNSirsERPv, void *)
// What the operators call, if they are inlined.
READS_VALUE(_ZNSi10_M_extractIbEERSiRT_, _Bool)
READS_VALUE(_ZNSi10_M_extractItEERSiRT_, unsigned short)
READS_VALUE(_ZNSi10_M_extractIjEERSiRT_, unsigned)
READS_VALUE(_ZNSi10_M_extractIlEERSiRT_, long)
READS_VALUE(_ZNSi10_M_extractImEERSiRT_, unsigned long)
READS_VALUE(_ZNSi10_M_extractIxEERSiRT_, long long)
READS_VALUE(_ZNSi10_M_extractIyEERSiRT_, unsigned long long)
READS_VALUE(_ZNSi10_M_extractIfEERSiRT_, float)
READS_VALUE(_ZNSi10_M_extractIdEERSiRT_, double)
READS_VALUE(_ZNSi10_M_extractIeEERSiRT_, long double)
READS_VALUE(_ZNSi10_M_extractIPvEERSiRT_, void *)
READS_VALUE(_ZNSi3getERc, char)
READS_VALUE(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_, char)
READS_VALUE(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Ra, signed char)
READS_VALUE(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Rh, unsigned char)

// MARK: - Bytes

// Defines the function `name`. parameters, types, arguments: its own; in `types`, AND stands for a comma.
#define READS(name, result, parameters, types, arguments) \
    EXPORTED result name parameters { \
        use(stream, SITE); \
        return REAL(name, result, types)arguments; \
    }
#define AND ,
READS(_ZNSi3getEv, int, (void *stream), void *, (stream))
READS(_ZNSi4peekEv, int, (void *stream), void *, (stream))
READS(_ZNSi5ungetEv, void *, (void *stream), void *, (stream))
READS(_ZNSi7putbackEc, void *, (void *stream, char byte), void * AND char, (stream, byte))
READS(_ZNSi6ignoreEv, void *, (void *stream), void *, (stream))
READS(_ZNSi6ignoreEl, void *, (void *stream, long size), void * AND long, (stream, size))
READS(_ZNSi6ignoreEli, void *, (void *stream, long size, int end), void * AND long AND int, (stream, size, end))
READS(_ZSt2wsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_, void *, (void *stream), void *, (stream))
READS(_ZNSi5tellgEv, place_t, (void *stream), void *, (stream))
READS(_ZNSi5seekgESt4fposI11__mbstate_tE, void *, (void *stream, place_t place), void * AND place_t, (stream, place))
READS(_ZNSi5seekgElSt12_Ios_Seekdir, void *, (void *stream, long offset, int from), void * AND long AND int, (stream, offset, from))

#define READS_BYTES(name, parameters, types, arguments) \
    EXPORTED void *name parameters { \
        use(stream, SITE); \
        if (size > 0) lab_note_access(bytes, lab_rest_of_block((uint64_t)bytes, (uint64_t)size), 1, SITE); \
        return REAL(name, void *, types)arguments; \
    }
READS_BYTES(_ZNSi4readEPcl, (void *stream, char *bytes, long size), void * AND char * AND long, (stream, bytes, size))
READS_BYTES(_ZNSi7getlineEPcl, (void *stream, char *bytes, long size), void * AND char * AND long, (stream, bytes, size))
READS_BYTES(_ZNSi7getlineEPclc, (void *stream, char *bytes, long size, char end), void * AND char * AND long AND char, (stream, bytes, size, end))

// Operators that call a manipulator with the stream's base class.
#define CALLS(name) \
    EXPORTED void *name(void *stream, void *(*manipulator)(void *)) { \
        if (is_controlled()) lab_note_access(stream, POINTER, 0, SITE); \
        return REAL(name, void *, void *, void *(*)(void *))(stream, manipulator); \
    }
CALLS(_ZNSirsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E)
CALLS(_ZNSirsEPFRSt8ios_baseS0_E)

// The operator that calls a manipulator with the stream itself, such as std::ws.
EXPORTED void *_ZNSirsEPFRSiS_E(void *stream, void *(*manipulator)(void *)) {
    if (manipulator == _ZSt2wsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_) use(stream, SITE);
    return manipulator(stream);
}

// MARK: - Strings

// Notes that the string and its text are changed. The library may free the text and allocate a longer one. It holds no
// lock then, so the release can be a step.
static void change(const string_t *text, uint64_t site) {
    lab_note_access(text, STRING_SIZE, 1, site);
    if (is_controlled()) lab_note_access(text->bytes, text->size + 1, 1, site);
}

#define READS_STRING(name, parameters, types, arguments) \
    EXPORTED void *name parameters { \
        use(stream, SITE); \
        change(text, SITE); \
        uint64_t before = lab_begin_release(SITE); \
        void *result = REAL(name, void *, types)arguments; \
        lab_end_release(before); \
        return result; \
    }
READS_STRING(_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE,
             (void *stream, string_t *text), void * AND string_t *, (stream, text))
READS_STRING(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE,
             (void *stream, string_t *text), void * AND string_t *, (stream, text))
READS_STRING(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_,
             (void *stream, string_t *text, char end), void * AND string_t * AND char, (stream, text, end))

// MARK: - The state

// The argument of these functions is the base class.
#define ASKS(name) \
    EXPORTED _Bool name(const void *base) { \
        lab_note_access((const char *)base + STATE, STATE_SIZE, 0, SITE); \
        return REAL(name, _Bool, const void *)(base); \
    }
ASKS(_ZNKSt9basic_iosIcSt11char_traitsIcEEntEv)
ASKS(_ZNKSt9basic_iosIcSt11char_traitsIcEE4goodEv)
ASKS(_ZNKSt9basic_iosIcSt11char_traitsIcEE3eofEv)
ASKS(_ZNKSt9basic_iosIcSt11char_traitsIcEE4failEv)
ASKS(_ZNKSt9basic_iosIcSt11char_traitsIcEE3badEv)

EXPORTED void _ZNSt9basic_iosIcSt11char_traitsIcEE8setstateESt12_Ios_Iostate(void *base, int state) {
    lab_note_access((char *)base + STATE, STATE_SIZE, 1, SITE);
    REAL(_ZNSt9basic_iosIcSt11char_traitsIcEE8setstateESt12_Ios_Iostate, void, void *, int)(base, state);
}

#endif
