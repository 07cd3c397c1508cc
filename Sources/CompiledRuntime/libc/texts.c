// Functions of the C library that read and write memory, and do nothing else that other threads notice: on memory,
// texts and numbers, and for formatted output. Also rand, and C++'s new and delete. The library's code is not
// instrumented, so what it accesses for the calling thread is noted here.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
// Otherwise headers define atoi and others as inline functions in optimized builds.
#define __NO_INLINE__ 1
#include "process/state.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

// The length of the text, by the original functions, which note nothing.
static size_t length(const char *text) { return REAL(strlen, size_t, const char *)(text); }
static size_t length_to(const char *text, size_t most) { return REAL(strnlen, size_t, const char *, size_t)(text, most); }

// Notes that the text is read, up to `most` bytes of it. That is a step: if other threads have made the text longer by
// the time of the step, notes a read of the longer text, too.
static void read_text(const char *text, size_t most, uint64_t site) {
    if (!lab_runs_program() || !text) return;
    size_t known;
    do {
        known = length_to(text, most);
        lab_note_access(text, known < most ? known + 1 : most, 0, site);
    } while (length_to(text, most) > known);
}

// More bytes than a text can have.
static const size_t NO_LIMIT = SIZE_MAX >> 1;

#define READS(text) read_text(text, NO_LIMIT, SITE)

// MARK: - Memory

EXPORTED void *memcpy(void *to, const void *from, size_t size) {
    lab_note_access(from, size, 0, SITE);
    lab_note_access(to, size, 1, SITE);
    return REAL(memcpy, void *, void *, const void *, size_t)(to, from, size);
}

EXPORTED void *memmove(void *to, const void *from, size_t size) {
    lab_note_access(from, size, 0, SITE);
    lab_note_access(to, size, 1, SITE);
    return REAL(memmove, void *, void *, const void *, size_t)(to, from, size);
}

EXPORTED void *memset(void *to, int value, size_t size) {
    lab_note_access(to, size, 1, SITE);
    return REAL(memset, void *, void *, int, size_t)(to, value, size);
}

EXPORTED void bzero(void *to, size_t size) {
    lab_note_access(to, size, 1, SITE);
    REAL(memset, void *, void *, int, size_t)(to, 0, size);
}

EXPORTED void bcopy(const void *from, void *to, size_t size) {
    lab_note_access(from, size, 0, SITE);
    lab_note_access(to, size, 1, SITE);
    REAL(memmove, void *, void *, const void *, size_t)(to, from, size);
}

#define COMPARES_BYTES(name) \
    EXPORTED int name(const void *one, const void *other, size_t size) { \
        lab_note_access(one, size, 0, SITE); \
        lab_note_access(other, size, 0, SITE); \
        return REAL(name, int, const void *, const void *, size_t)(one, other, size); \
    }
COMPARES_BYTES(memcmp)
// clang calls bcmp in place of memcmp if only equality matters.
COMPARES_BYTES(bcmp)

// The number of bytes that a search for this byte reads.
static size_t length_to_byte(const void *memory, int byte, size_t size) {
    const char *found = REAL(memchr, void *, const void *, int, size_t)(memory, byte, size);
    return found ? (size_t)(found - (const char *)memory) + 1 : size;
}

// Counts as reading no further than to the byte that it finds.
EXPORTED void *memchr(const void *memory, int byte, size_t size) {
    size_t known = size;
    if (lab_runs_program()) {
        do {
            known = length_to_byte(memory, byte, size);
            lab_note_access(memory, known, 0, SITE);
        } while (length_to_byte(memory, byte, size) > known);
    }
    return REAL(memchr, void *, const void *, int, size_t)(memory, byte, size);
}

// Calls each function once, so that the C library's is known before memory is protected.
static void find_memory_functions(void) {
    char bytes[2] = {0};
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    void *(*volatile move)(void *, const void *, size_t) = memmove;
    void *(*volatile fill)(void *, int, size_t) = memset;
    copy(bytes, bytes + 1, 1);
    move(bytes, bytes + 1, 1);
    fill(bytes, 0, 1);
}
LAB_PHASE(lab_with_engine, LAB_FIRST, find_memory_functions);

// MARK: - Texts

EXPORTED size_t strlen(const char *text) {
    READS(text);
    return length(text);
}

EXPORTED size_t strnlen(const char *text, size_t most) {
    if (most) read_text(text, most, SITE);
    return length_to(text, most);
}

// Notes that as many bytes are read as `expression` says. That is a step: if the expression says more by the time of
// the step, because other threads have written, notes a read of all these.
#define READS_AS_FAR_AS(text, expression) \
    do { \
        if (!lab_runs_program()) break; \
        for (size_t known = 0, next; (next = (expression)) > known; known = next) lab_note_access(text, next, 0, SITE); \
    } while (0)

static int folded(char letter) { return letter >= 'A' && letter <= 'Z' ? letter + 'a' - 'A' : letter; }

// The number of bytes that a comparison reads of each text: up to and including the byte that decides.
static size_t alike(const char *one, const char *other, size_t most, int folds) {
    size_t i = 0;
    while (i < most && one[i] && (folds ? folded(one[i]) == folded(other[i]) : one[i] == other[i])) i++;
    return i < most ? i + 1 : most;
}

#define COMPARES(name, folds) \
    EXPORTED int name(const char *one, const char *other) { \
        READS_AS_FAR_AS(one, alike(one, other, SIZE_MAX, folds)); \
        READS_AS_FAR_AS(other, alike(one, other, SIZE_MAX, folds)); \
        return REAL(name, int, const char *, const char *)(one, other); \
    }
#define COMPARES_SOME(name, folds) \
    EXPORTED int name(const char *one, const char *other, size_t most) { \
        READS_AS_FAR_AS(one, alike(one, other, most, folds)); \
        READS_AS_FAR_AS(other, alike(one, other, most, folds)); \
        return REAL(name, int, const char *, const char *, size_t)(one, other, most); \
    }
COMPARES(strcmp, 0)
COMPARES(strcasecmp, 1)
COMPARES_SOME(strncmp, 0)
COMPARES_SOME(strncasecmp, 1)

// The number of bytes that a search reads: up to and including the byte that it has found, or the whole text.
static size_t up_to(const char *text, const char *found) { return found ? (size_t)(found - text) + 1 : length(text) + 1; }

// In this and the next macros, `text` and the other arguments are those of the function that uses the macro.
#define FIND(name) REAL(name, char *, const char *, int)(text, byte)
EXPORTED char *strchr(const char *text, int byte) {
    READS_AS_FAR_AS(text, up_to(text, FIND(strchr)));
    return FIND(strchr);
}

EXPORTED char *strchrnul(const char *text, int byte) {
    READS_AS_FAR_AS(text, up_to(text, FIND(strchrnul)));
    return FIND(strchrnul);
}

EXPORTED char *strrchr(const char *text, int byte) {
    READS(text);
    return FIND(strrchr);
}

#define MEASURE(name) REAL(name, size_t, const char *, const char *)(text, bytes)
#define MEASURES(name) \
    EXPORTED size_t name(const char *text, const char *bytes) { \
        READS(bytes); \
        READS_AS_FAR_AS(text, MEASURE(name) + 1); \
        return MEASURE(name); \
    }
MEASURES(strspn)
MEASURES(strcspn)

EXPORTED char *strpbrk(const char *text, const char *bytes) {
    READS(bytes);
    READS_AS_FAR_AS(text, MEASURE(strcspn) + 1);
    return REAL(strpbrk, char *, const char *, const char *)(text, bytes);
}

// These functions count as reading from the beginning of the text to the end of what they find.
#define SEARCH(name) REAL(name, char *, const char *, const char *)(text, part)
#define SEARCHES(name) \
    EXPORTED char *name(const char *text, const char *part) { \
        READS(part); \
        READS_AS_FAR_AS(text, SEARCH(name) ? (size_t)(SEARCH(name) - text) + length(part) : length(text) + 1); \
        return SEARCH(name); \
    }
SEARCHES(strstr)
SEARCHES(strcasestr)

EXPORTED void *memrchr(const void *memory, int byte, size_t size) {
    lab_note_access(memory, size, 0, SITE);
    return REAL(memrchr, void *, const void *, int, size_t)(memory, byte, size);
}

#define SEARCH_MEMORY REAL(memmem, char *, const void *, size_t, const void *, size_t)(memory, size, part, part_size)
EXPORTED void *memmem(const void *memory, size_t size, const void *part, size_t part_size) {
    lab_note_access(part, part_size, 0, SITE);
    READS_AS_FAR_AS(memory, SEARCH_MEMORY ? (size_t)(SEARCH_MEMORY - (const char *)memory) + part_size : size);
    return SEARCH_MEMORY;
}

EXPORTED char *strcpy(char *to, const char *from) {
    READS(from);
    if (is_controlled()) lab_note_access(to, length(from) + 1, 1, SITE);
    return REAL(strcpy, char *, char *, const char *)(to, from);
}

EXPORTED char *strncpy(char *to, const char *from, size_t size) {
    if (size) read_text(from, size, SITE);
    lab_note_access(to, size, 1, SITE);
    return REAL(strncpy, char *, char *, const char *, size_t)(to, from, size);
}

EXPORTED char *strcat(char *to, const char *from) {
    READS(from);
    READS(to);
    if (is_controlled()) lab_note_access(to + length(to), length(from) + 1, 1, SITE);
    return REAL(strcat, char *, char *, const char *)(to, from);
}

EXPORTED char *strncat(char *to, const char *from, size_t most) {
    if (most) read_text(from, most, SITE);
    READS(to);
    if (is_controlled()) lab_note_access(to + length(to), length_to(from, most) + 1, 1, SITE);
    return REAL(strncat, char *, char *, const char *, size_t)(to, from, most);
}

EXPORTED char *stpncpy(char *to, const char *from, size_t size) {
    if (size) read_text(from, size, SITE);
    lab_note_access(to, size, 1, SITE);
    return REAL(stpncpy, char *, char *, const char *, size_t)(to, from, size);
}

EXPORTED char *strndup(const char *text, size_t most) {
    if (most) read_text(text, most, SITE);
    return REAL(strndup, char *, const char *, size_t)(text, most);
}

// The number of separators at the beginning of the text, and the length of a word there.
static size_t separators(const char *text, const char *bytes) { return REAL(strspn, size_t, const char *, const char *)(text, bytes); }
static size_t word(const char *text, const char *bytes) { return REAL(strcspn, size_t, const char *, const char *)(text, bytes); }

// Notes that a word and the separator after it are read, and that a zero is written in the separator's place.
static void take_word(char *start, const char *bytes, uint64_t site) {
    char *end = start + word(start, bytes);
    lab_note_access(start, (uint64_t)(end - start) + 1, 0, site);
    if (*end) lab_note_access(end, 1, 1, site);
}

EXPORTED char *strtok_r(char *text, const char *bytes, char **place) {
    READS(bytes);
    if (is_controlled()) {
        if (!text) lab_note_access(place, sizeof *place, 0, SITE);
        char *rest = text ? text : *place;
        size_t skipped = separators(rest, bytes);
        if (skipped) lab_note_access(rest, skipped, 0, SITE);
        take_word(rest + skipped, bytes, SITE);
        lab_note_access(place, sizeof *place, 1, SITE);
    }
    return REAL(strtok_r, char *, char *, const char *, char **)(text, bytes, place);
}

EXPORTED char *strsep(char **place, const char *bytes) {
    READS(bytes);
    if (is_controlled()) {
        lab_note_access(place, sizeof *place, 0, SITE);
        if (*place) take_word(*place, bytes, SITE);
        lab_note_access(place, sizeof *place, 1, SITE);
    }
    return REAL(strsep, char *, char **, const char *)(place, bytes);
}

EXPORTED char *strdup(const char *text) {
    READS(text);
    return REAL(strdup, char *, const char *)(text);
}

// MARK: - Numbers in texts

#define READS_NUMBER(type, name) \
    EXPORTED type name(const char *text) { \
        READS(text); \
        return REAL(name, type, const char *)(text); \
    }
READS_NUMBER(int, atoi)
READS_NUMBER(long, atol)
READS_NUMBER(long long, atoll)
READS_NUMBER(double, atof)

#define READS_NUMBER_TO(type, name) \
    EXPORTED type name(const char *text, char **end, int base) { \
        READS(text); \
        if (end) lab_note_access(end, sizeof *end, 1, SITE); \
        return REAL(name, type, const char *, char **, int)(text, end, base); \
    }
READS_NUMBER_TO(long, strtol)
READS_NUMBER_TO(long long, strtoll)
READS_NUMBER_TO(unsigned long, strtoul)
READS_NUMBER_TO(unsigned long long, strtoull)
// The names that newer C libraries have for C23.
READS_NUMBER_TO(long, __isoc23_strtol)
READS_NUMBER_TO(long long, __isoc23_strtoll)
READS_NUMBER_TO(unsigned long, __isoc23_strtoul)
READS_NUMBER_TO(unsigned long long, __isoc23_strtoull)

#define READS_FRACTION_TO(type, name) \
    EXPORTED type name(const char *text, char **end) { \
        READS(text); \
        if (end) lab_note_access(end, sizeof *end, 1, SITE); \
        return REAL(name, type, const char *, char **)(text, end); \
    }
READS_FRACTION_TO(double, strtod)
READS_FRACTION_TO(float, strtof)
READS_FRACTION_TO(long double, strtold)

// MARK: - Output: the program cannot observe in which order threads write

EXPORTED int puts(const char *text) {
    READS(text);
    return REAL(puts, int, const char *)(text);
}

EXPORTED int fputs(const char *text, FILE *file) {
    READS(text);
    return REAL(fputs, int, const char *, FILE *)(text, file);
}

EXPORTED void perror(const char *text) {
    READS(text);
    REAL(perror, void, const char *)(text);
}

EXPORTED size_t fwrite(const void *memory, size_t size, size_t count, FILE *file) {
    size_t bytes;
    if (!__builtin_mul_overflow(size, count, &bytes)) lab_note_access(memory, bytes, 0, SITE);
    return REAL(fwrite, size_t, const void *, size_t, size_t, FILE *)(memory, size, count, file);
}

// Skips an argument of an integer type. letters: the length modifier before the conversion, such as "ll".
static void skip_integer(va_list *values, const char *letters, size_t count) {
    if (count == 0 || letters[0] == 'h') (void)va_arg(*values, int);
    else (void)va_arg(*values, long); // all others have 64 bits on this processor
}

void lab_note_printed(const char *format, va_list original, uint64_t site) {
    if (!is_controlled()) return;
    read_text(format, NO_LIMIT, site);
    va_list values;
    va_copy(values, original);
    for (const char *next = format; (next = REAL(strchr, char *, const char *, int)(next, '%'));) {
        size_t most = NO_LIMIT; // the precision: of a text, at most this number of bytes is read
        next++;
        while (*next && REAL(strchr, char *, const char *, int)("-+ #0'I", *next)) next++;
        if (*next == '*') (void)va_arg(values, int), next++;
        while (*next >= '0' && *next <= '9') next++;
        if (*next == '.') {
            most = 0;
            if (*++next == '*') {
                int given = va_arg(values, int);
                most = given < 0 ? NO_LIMIT : (size_t)given;
                next++;
            }
            while (*next >= '0' && *next <= '9') most = 10 * most + (size_t)(*next++ - '0');
        }
        const char *letters = next;
        while (*next && REAL(strchr, char *, const char *, int)("hlqjzt", *next)) next++;
        size_t count = (size_t)(next - letters);
        switch (*next ? *next++ : 0) {
        case '%':
        case 'm': break;
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'X':
        case 'o': skip_integer(&values, letters, count); break;
        case 'e':
        case 'f':
        case 'g':
        case 'a':
        case 'E':
        case 'F':
        case 'G': (void)va_arg(values, double); break;
        case 'c':
            if (count) goto unknown;
            (void)va_arg(values, int);
            break;
        case 'p': (void)va_arg(values, void *); break;
        case 's':
            if (count) goto unknown;
            {
                const char *text = va_arg(values, const char *);
                if (most) read_text(text, most, site);
            }
            break;
        default: goto unknown;
        }
    }
    va_end(values);
    return;
unknown:
    va_end(values);
    lab_note_call("printf with a conversion that threadlab does not know");
}

// Defines the function `name`, and `v_name`, its form with a va_list. parameters, arguments, types: those before the
// format; in them, WITH stands for a comma.
#define PRINTS(name, v_name, parameters, arguments, types) \
    EXPORTED int v_name(parameters const char *format, va_list values) { \
        lab_note_printed(format, values, SITE); \
        return REAL(v_name, int, types const char *, va_list)(arguments format, values); \
    } \
    EXPORTED int name(parameters const char *format, ...) { \
        va_list values; \
        va_start(values, format); \
        lab_note_printed(format, values, SITE); \
        int count = REAL(v_name, int, types const char *, va_list)(arguments format, values); \
        va_end(values); \
        return count; \
    }
#define WITH ,
PRINTS(printf, vprintf, , , )
PRINTS(fprintf, vfprintf, FILE *file WITH, file WITH, FILE * WITH)

// Output into memory, of which at most `most` bytes are written. A first call, which writes nothing, finds out how many
// bytes that will be (note_result).
#define PRINTS_TO(name, v_name, parameters, most) \
    EXPORTED int v_name(char *to, parameters const char *format, va_list values) { \
        lab_note_printed(format, values, SITE); \
        if (is_controlled()) note_result(to, most, format, values, SITE); \
        return REAL(vsnprintf, int, char *, size_t, const char *, va_list)(to, most, format, values); \
    } \
    EXPORTED int name(char *to, parameters const char *format, ...) { \
        va_list values; \
        va_start(values, format); \
        lab_note_printed(format, values, SITE); \
        if (is_controlled()) note_result(to, most, format, values, SITE); \
        int count = REAL(vsnprintf, int, char *, size_t, const char *, va_list)(to, most, format, values); \
        va_end(values); \
        return count; \
    }

static void note_result(char *to, size_t most, const char *format, va_list original, uint64_t site) {
    va_list values;
    va_copy(values, original);
    int count = REAL(vsnprintf, int, char *, size_t, const char *, va_list)(NULL, 0, format, values);
    va_end(values);
    size_t size = (size_t)count + 1;
    if (count >= 0) lab_note_access(to, size < most ? size : most, 1, site);
}

PRINTS_TO(snprintf, vsnprintf, size_t size WITH, size)
PRINTS_TO(sprintf, vsprintf, , (size_t)INT32_MAX)

// Output into a block that the function allocates.
EXPORTED int vasprintf(char **to, const char *format, va_list values) {
    lab_note_printed(format, values, SITE);
    lab_note_access(to, sizeof *to, 1, SITE);
    return REAL(vasprintf, int, char **, const char *, va_list)(to, format, values);
}

EXPORTED int asprintf(char **to, const char *format, ...) {
    va_list values;
    va_start(values, format);
    lab_note_printed(format, values, SITE);
    lab_note_access(to, sizeof *to, 1, SITE);
    int count = REAL(vasprintf, int, char **, const char *, va_list)(to, format, values);
    va_end(values);
    return count;
}

// MARK: - Random numbers: all threads draw from one sequence, which each execution begins again

// The number of draws so far.
static int draws;

// A step, because the order in which threads draw decides which number each gets.
static void draw(uint64_t site) {
    if (!is_controlled() || lab_state->unjoined < 2) return;
    lab_note_atomic(&draws, sizeof draws, 1);
    lab_ask((compiled_request_t){
        .kind = compiled_add, .object = (uint64_t)&draws, .size = sizeof draws, .a = 1, .order = __ATOMIC_RELAXED,
        .failure_order = __ATOMIC_RELAXED, .site = site, .text = "state of rand()"});
    draws++;
}

EXPORTED int rand(void) {
    draw(SITE);
    return REAL(rand, int, void)();
}

EXPORTED int rand_r(unsigned *seed) {
    lab_note_access(seed, sizeof *seed, 0, SITE);
    lab_note_access(seed, sizeof *seed, 1, SITE);
    return REAL(rand_r, int, unsigned *)(seed);
}

EXPORTED long random(void) {
    draw(SITE);
    return REAL(random, long, void)();
}

EXPORTED void srand(unsigned seed) {
    draw(SITE);
    REAL(srand, void, unsigned)(seed);
}

EXPORTED void srandom(unsigned seed) {
    draw(SITE);
    REAL(srandom, void, unsigned)(seed);
}

// MARK: - C++'s new and delete: _Znw… is new, _Zna… new[], _Zdl… delete, _Zda… delete[]

static _Noreturn void have_no_memory(uint64_t site) {
    static const char text[] = "has no memory left";
    if (is_controlled()) lab_ask((compiled_request_t){.kind = compiled_failure, .text = text, .site = site});
    abort();
}

// Whether the function of this name is the runtime's: the program has not replaced it.
#define IS_OWN(name) lab_is_runtime_code((uint64_t)name)
void *_Znwm(size_t), *_Znam(size_t), *_ZnwmSt11align_val_t(size_t, size_t), *_ZnamSt11align_val_t(size_t, size_t);

// As in the C++ library, a form that the program does not replace calls another form, which the program may have
// replaced. is_own: whether the program has not replaced that one, so that the memory comes from the runtime's heap.
// Otherwise, or if there is no memory, the library's function is called, which calls the other form or throws. The last
// arguments are the types of the parameters.
#define NEWS(name, parameters, arguments, alignment, is_own, ...) \
    EXPORTED __attribute__((weak)) void *name parameters { \
        void *made = (is_own) ? lab_allocate(size, alignment, SITE) : NULL; \
        if (made) return made; \
        void *(*real)(__VA_ARGS__) = REAL(name, void *, __VA_ARGS__); \
        if (!real) have_no_memory(SITE); \
        return real arguments; \
    }
#define NOTHROW const void *tag __attribute__((unused))
NEWS(_Znwm, (size_t size), (size), 1, 1, size_t)
NEWS(_Znam, (size_t size), (size), 1, IS_OWN(_Znwm), size_t)
NEWS(_ZnwmRKSt9nothrow_t, (size_t size, NOTHROW), (size, tag), 1, IS_OWN(_Znwm), size_t, const void *)
NEWS(_ZnamRKSt9nothrow_t, (size_t size, NOTHROW), (size, tag), 1, IS_OWN(_Znam) && IS_OWN(_Znwm), size_t, const void *)
NEWS(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment, 1, size_t, size_t)
NEWS(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment, IS_OWN(_ZnwmSt11align_val_t), size_t, size_t)

// Likewise for delete: the block is freed here unless the program has replaced a form that this one would call. Then
// `other` is called.
#define DELETES(name, parameters, other, arguments) \
    EXPORTED __attribute__((weak)) void name parameters { \
        if (IS_OWN(other) && IS_OWN(_ZdlPv) && IS_OWN(_ZdlPvSt11align_val_t)) lab_free(block, SITE); \
        else other arguments; \
    }
#define SIZE size_t size __attribute__((unused))
#define ALIGNMENT size_t alignment __attribute__((unused))
EXPORTED __attribute__((weak)) void _ZdlPv(void *block) { lab_free(block, SITE); }
EXPORTED __attribute__((weak)) void _ZdlPvSt11align_val_t(void *block, ALIGNMENT) { lab_free(block, SITE); }
DELETES(_ZdaPv, (void *block), _ZdlPv, (block))
DELETES(_ZdlPvm, (void *block, SIZE), _ZdlPv, (block))
DELETES(_ZdaPvm, (void *block, SIZE), _ZdaPv, (block))
DELETES(_ZdlPvRKSt9nothrow_t, (void *block, NOTHROW), _ZdlPv, (block))
DELETES(_ZdaPvRKSt9nothrow_t, (void *block, NOTHROW), _ZdaPv, (block))
DELETES(_ZdaPvSt11align_val_t, (void *block, ALIGNMENT), _ZdlPvSt11align_val_t, (block, alignment))
DELETES(_ZdlPvmSt11align_val_t, (void *block, SIZE, ALIGNMENT), _ZdlPvSt11align_val_t, (block, alignment))
DELETES(_ZdaPvmSt11align_val_t, (void *block, SIZE, ALIGNMENT), _ZdaPvSt11align_val_t, (block, alignment))
DELETES(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *block, ALIGNMENT, NOTHROW), _ZdlPvSt11align_val_t, (block, alignment))
DELETES(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *block, ALIGNMENT, NOTHROW), _ZdaPvSt11align_val_t, (block, alignment))

#endif
