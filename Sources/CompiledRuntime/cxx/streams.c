// Output streams of C++ (libstdc++). The library's code is not instrumented, so what it accesses is noted here: a
// stream's settings, which it reads, and the buffer, which it writes. The program cannot see the output itself: what
// several threads write to std::cout comes in any order.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "cxx/layout.h"
#include <dlfcn.h>

// std::cout, std::cerr and std::clog; null: not looked up yet, or the program has none.
enum { COUT = 0, STANDARD_COUNT = 3 };
typedef void *streams_t[STANDARD_COUNT];
LAB_KEPT(streams_t, standard);

// Whether the stream is one of these. The C++ standard allows several threads to write to them at once.
static int is_standard(const void *stream) {
    static const char *const names[STANDARD_COUNT] = {"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"};
    for (int i = 0; i < STANDARD_COUNT; i++) {
        void **known = &(*standard)[i];
        if (!*known) *known = lab_find(RTLD_DEFAULT, names[i]);
        if (*known == stream) return 1;
    }
    return 0;
}

// Whether the buffer has the same class as that of std::cout. No function that the runtime knows gives std::cout
// another buffer.
static int is_as_standard(void *stream, char **buffer) {
    if (is_standard(stream)) return 1;
    void *known = (*standard)[COUT];
    // The stream's first word is zero if no file of the program includes <iostream>, which initializes it.
    char **its = known && *(void **)known ? *(char ***)(base_of(known) + BUFFER) : NULL;
    return its && its[0] == buffer[0];
}

// Notes the accesses of an output to the stream's buffer.
static void use_buffer(void *stream, char **buffer, uint64_t site) {
    if (!buffer) return;
    // A buffer of the program's own class: the library uses its pointers, and calls the program's functions.
    if (!lab_is_string_buffer(buffer) && !is_as_standard(stream, buffer)) lab_note_call("std::ostream");
    // A buffer without a text, such as that of std::cout, writes to a stream of C, which has a lock.
    char **written = buffer + POINTERS / POINTER + WRITTEN; // counted in pointers
    int has_text = written[0] || written[1] || written[2] || lab_is_string_buffer(buffer);
    if (has_text) lab_note_access(buffer + POINTERS / POINTER, POINTERS_SIZE, 1, site);
}

// A tied stream may have another one tied to it. No correct program ties streams in a cycle, so few are followed.
void lab_use_tied(char *base, uint64_t site) {
    enum { MOST_TIED = 8 };
    for (int i = 0; i < MOST_TIED; i++) {
        void *tied = *(void **)(base + TIED);
        if (!tied || is_standard(tied)) return;
        lab_note_access(tied, POINTER, 0, site);
        base = base_of(tied);
        lab_note_access(base + SETTINGS, STATE + STATE_SIZE - SETTINGS, 0, site);
        lab_note_access(base + TIED, BASE_SIZE - TIED, 0, site);
        use_buffer(tied, *(char ***)(base + BUFFER), site);
    }
    lab_note_call("std::ios::tie");
}

// Notes the accesses that all output functions have in common.
static void use(void *stream, uint64_t site) {
    if (!is_controlled()) return;
    lab_note_access(stream, POINTER, 0, site);
    char *base = base_of(stream);
    lab_note_access(base + TIED, BASE_SIZE - TIED, 0, site);
    // Each output sets the width to zero. For the standard streams, this is no data race.
    lab_note_access(base + SETTINGS, STATE + STATE_SIZE - SETTINGS, !is_standard(stream), site);
    lab_use_tied(base, site);
    use_buffer(stream, *(char ***)(base + BUFFER), site);
}

// Notes that a setting of the stream is changed: `size` bytes at the offset `first` in its base class.
static void set(void *stream, int first, int size, uint64_t site) {
    if (!is_controlled()) return;
    lab_note_access(stream, POINTER, 0, site);
    lab_note_access(base_of(stream) + first, (uint64_t)size, 1, site);
}

// MARK: - Texts that are written

static void look_at_text(const char *text, uint64_t site) {
    if (is_controlled() && text) lab_note_access(text, REAL(strlen, size_t, const char *)(text) + 1, 0, site);
}

static void look_at_string(const string_t *text, uint64_t site) {
    lab_note_access(text, sizeof *text, 0, site);
    if (is_controlled()) lab_note_access(text->bytes, text->size, 0, site);
}

// MARK: - Output

#define PUTS(name, type) \
    EXPORTED void *name(void *stream, type value) { \
        use(stream, SITE); \
        return REAL(name, void *, void *, type)(stream, value); \
    }
PUTS(_ZNSolsEb, _Bool)
PUTS(_ZNSolsEs, short)
PUTS(_ZNSolsEt, unsigned short)
PUTS(_ZNSolsEi, int)
PUTS(_ZNSolsEj, unsigned)
PUTS(_ZNSolsEl, long)
PUTS(_ZNSolsEm, unsigned long)
PUTS(_ZNSolsEx, long long)
PUTS(_ZNSolsEy, unsigned long long)
PUTS(_ZNSolsEf, float)
PUTS(_ZNSolsEd, double)
PUTS(_ZNSolsEe, long double)
PUTS(_ZNSolsEPKv, const void *)
// What the operators call, if they are inlined.
PUTS(_ZNSo9_M_insertIbEERSoT_, _Bool)
PUTS(_ZNSo9_M_insertIlEERSoT_, long)
PUTS(_ZNSo9_M_insertImEERSoT_, unsigned long)
PUTS(_ZNSo9_M_insertIxEERSoT_, long long)
PUTS(_ZNSo9_M_insertIyEERSoT_, unsigned long long)
PUTS(_ZNSo9_M_insertIdEERSoT_, double)
PUTS(_ZNSo9_M_insertIeEERSoT_, long double)
PUTS(_ZNSo9_M_insertIPKvEERSoT_, const void *)
PUTS(_ZNSo3putEc, char)
PUTS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c, char)
PUTS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a, signed char)
PUTS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h, unsigned char)

#define ENDS(name) \
    EXPORTED void *name(void *stream) { \
        use(stream, SITE); \
        return REAL(name, void *, void *)(stream); \
    }
ENDS(_ZNSo5flushEv)
ENDS(_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
ENDS(_ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
ENDS(_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)

// The operator that calls a manipulator with the stream itself. The three of the library that write would see a caller
// in the runtime's code and note no accesses, so these are noted here.
EXPORTED void *_ZNSolsEPFRSoS_E(void *stream, void *(*manipulator)(void *)) {
    if (manipulator == _ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_ ||
        manipulator == _ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_ ||
        manipulator == _ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_) {
        use(stream, SITE);
    }
    return manipulator(stream);
}

// Operators that call a manipulator with the stream's base class.
#define CALLS(name) \
    EXPORTED void *name(void *stream, void *(*manipulator)(void *)) { \
        if (is_controlled()) lab_note_access(stream, POINTER, 0, SITE); \
        return REAL(name, void *, void *, void *(*)(void *))(stream, manipulator); \
    }
CALLS(_ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E)
CALLS(_ZNSolsEPFRSt8ios_baseS0_E)

EXPORTED void *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(void *stream, const char *text) {
    use(stream, SITE);
    look_at_text(text, SITE);
    return REAL(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc, void *, void *, const char *)(stream, text);
}

#define PUTS_BYTES(name) \
    EXPORTED void *name(void *stream, const char *bytes, long size) { \
        use(stream, SITE); \
        if (size > 0) lab_note_access(bytes, (uint64_t)size, 0, SITE); \
        return REAL(name, void *, void *, const char *, long)(stream, bytes, size); \
    }
PUTS_BYTES(_ZNSo5writeEPKcl)
PUTS_BYTES(_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l)

EXPORTED void *_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    void *stream, const string_t *text) {
    use(stream, SITE);
    look_at_string(text, SITE);
    return REAL(
        _ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE, void *,
        void *, const string_t *)(stream, text);
}

// MARK: - Settings

#define SETS(name, type, first, size) \
    EXPORTED void *name(void *stream, type value) { \
        set(stream, first, size, SITE); \
        return REAL(name, void *, void *, type)(stream, value); \
    }
SETS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw, int, SETTINGS, SETTINGS_SIZE)
SETS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision, int, SETTINGS, SETTINGS_SIZE)
SETS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_SetfillIS3_E, char, FILL, POINTER)

// The argument of these functions is the base class.
EXPORTED void _ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate(void *base, int state) {
    lab_note_access((char *)base + STATE, STATE_SIZE, 1, SITE);
    REAL(_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate, void, void *, int)(base, state);
}

EXPORTED _Bool _ZNKSt9basic_iosIcSt11char_traitsIcEEcvbEv(const void *base) {
    lab_note_access((const char *)base + STATE, STATE_SIZE, 0, SITE);
    return REAL(_ZNKSt9basic_iosIcSt11char_traitsIcEEcvbEv, _Bool, const void *)(base);
}

EXPORTED void *_ZNSt9basic_iosIcSt11char_traitsIcEE3tieEPSo(void *base, void *stream) {
    lab_note_access((char *)base + TIED, POINTER, 1, SITE);
    return REAL(_ZNSt9basic_iosIcSt11char_traitsIcEE3tieEPSo, void *, void *, void *)(base, stream);
}

EXPORTED void *_ZNKSt9basic_iosIcSt11char_traitsIcEE3tieEv(const void *base) {
    lab_note_access((const char *)base + TIED, POINTER, 0, SITE);
    return REAL(_ZNKSt9basic_iosIcSt11char_traitsIcEE3tieEv, void *, const void *)(base);
}

EXPORTED char _ZNKSt9basic_iosIcSt11char_traitsIcEE4fillEv(const void *base) {
    lab_note_access((const char *)base + FILL, POINTER, 0, SITE);
    return REAL(_ZNKSt9basic_iosIcSt11char_traitsIcEE4fillEv, char, const void *)(base);
}

// MARK: - Constructors of exceptions with a text, and casts

#define SAYS(of_text, of_string) \
    EXPORTED void of_text(void *exception, const char *text) { \
        look_at_text(text, SITE); \
        lab_note_access(exception, 2 * POINTER, 1, SITE); \
        REAL(of_text, void, void *, const char *)(exception, text); \
    } \
    EXPORTED void of_string(void *exception, const string_t *text) { \
        look_at_string(text, SITE); \
        lab_note_access(exception, 2 * POINTER, 1, SITE); \
        REAL(of_string, void, void *, const string_t *)(exception, text); \
    }
#define EXCEPTION(name) \
    SAYS(_ZNSt##name##C1EPKc, _ZNSt##name##C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE) \
    SAYS(_ZNSt##name##C2EPKc, _ZNSt##name##C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE)
EXCEPTION(11logic_error)
EXCEPTION(13runtime_error)
EXCEPTION(12domain_error)
EXCEPTION(16invalid_argument)
EXCEPTION(12length_error)
EXCEPTION(12out_of_range)
EXCEPTION(11range_error)
EXCEPTION(14overflow_error)
EXCEPTION(15underflow_error)

EXPORTED void *__dynamic_cast(const void *object, const void *from, const void *to, long offset) {
    lab_note_access(object, POINTER, 0, SITE);
    return REAL(__dynamic_cast, void *, const void *, const void *, const void *, long)(object, from, to, offset);
}

#endif
