// Input by the C library's streams and scanf: from standard input, which each execution reads again (input.c), from
// files, and from texts. The library's code is not instrumented, so what it writes into the program's memory is noted
// here.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
// Otherwise headers define getchar and others as inline functions in optimized builds.
#define __NO_INLINE__ 1
#include <features.h>
// Otherwise headers give scanf its other name, __isoc99_scanf. This file defines both.
#undef __GLIBC_USE_DEPRECATED_SCANF
#define __GLIBC_USE_DEPRECATED_SCANF 1
#include "process/state.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

// To be called before a stream is read.
static void use(FILE *file, const char *name, uint64_t site) {
    if (!is_controlled()) return;
    int is_decided = file == stdin && lab_use_input(site);
    if (!is_decided) lab_note_call(name);
    // A read into a protected page fails in the kernel (kernel.c). So the stream gets its buffer now, and the buffer is
    // made writable.
    void (*allocate)(FILE *) = file->_IO_buf_base ? NULL : (void (*)(FILE *))lab_find(RTLD_DEFAULT, "_IO_doallocbuf");
    if (allocate) allocate(file);
    if (file->_IO_buf_base) lab_make_writable(file->_IO_buf_base, (size_t)(file->_IO_buf_end - file->_IO_buf_base));
}

// Whether accesses have to be noted: in a program with one thread, none can race.
static int must_note(void) { return is_controlled() && lab_state->unjoined > 1; }

// MARK: - Input by a format (scanf)

// The size of the integer that a conversion stores. letters, count: the length modifier before the conversion, such as
// "ll", and the number of its letters.
static uint64_t size_of_integer(const char *letters, size_t count) {
    if (!count) return sizeof(int);
    if (letters[0] == 'h') return count == 2 ? sizeof(char) : sizeof(short);
    return sizeof(long);
}

// The size of the floating-point number that a conversion stores. letters, count: as for size_of_integer.
static uint64_t size_of_floating(const char *letters, size_t count) {
    if (!count) return sizeof(float);
    return letters[0] == 'L' ? sizeof(long double) : sizeof(double);
}

static int is_in(const char *set, char byte) { return byte && REAL(strchr, char *, const char *, int)(set, byte); }

// Skips a set of bytes in a format, such as [^]a-z]. next: behind its '['. Returns the place behind its ']'.
static const char *after_set(const char *next) {
    if (*next == '^') next++;
    if (*next == ']') next++;
    while (*next && *next != ']') next++;
    return *next ? next + 1 : next;
}

// Notes what a scan has written through its arguments. count: how many conversions it has stored.
static void note_writes(const char *format, va_list original, int count, uint64_t site) {
    va_list values;
    va_copy(values, original);
    for (const char *next = format; count > 0 && (next = REAL(strchr, char *, const char *, int)(next, '%'));) {
        if (*++next == '%') {
            next++;
            continue;
        }
        int is_kept = *next != '*';
        if (!is_kept) next++;
        uint64_t width = 0;
        while (*next >= '0' && *next <= '9') width = 10 * width + (uint64_t)(*next++ - '0');
        const char *letters = next;
        while (is_in("hlqjztL", *next)) next++;
        size_t letter_count = (size_t)(next - letters);
        char conversion = *next ? *next++ : 0;
        uint64_t size = 0;
        int is_text = 0;
        if (is_in("diouxXn", conversion)) size = size_of_integer(letters, letter_count);
        else if (is_in("aefgAEFG", conversion)) size = size_of_floating(letters, letter_count);
        else if (conversion == 'p') size = sizeof(void *);
        else if (conversion == 'c' && !letter_count) size = width ? width : 1;
        else if (conversion == 's' && !letter_count) is_text = 1;
        else if (conversion == '[' && !letter_count) is_text = 1, next = after_set(next);
        else {
            lab_note_call("scanf with a conversion that threadlab does not know");
            break;
        }
        if (!is_kept) continue;
        void *memory = va_arg(values, void *);
        if (is_text) size = REAL(strlen, size_t, const char *)(memory) + 1;
        lab_note_access(memory, size, 1, site);
        if (conversion != 'n') count--;
    }
    va_end(values);
}

// Makes the call with the variables `format` and `values`, and notes what it has written, which is known only then. The
// expression's value is the call's result.
#define SCANNED(call) \
    ({ \
        int count = call; \
        if (must_note()) note_writes(format, values, count, SITE); \
        count; \
    })

// Defines the function `name`, and `v_name`, its form with a va_list. parameters, arguments, types: those before the
// format; in them, WITH stands for a comma. prepare: a macro that notes what the call reads, by these parameters.
#define SCANS(name, v_name, parameters, prepare, arguments, types) \
    EXPORTED int v_name(parameters const char *format, va_list values) { \
        prepare(#name); \
        return SCANNED((REAL(v_name, int, types const char *, va_list)(arguments format, values))); \
    } \
    EXPORTED int name(parameters const char *format, ...) { \
        va_list values; \
        va_start(values, format); \
        prepare(#name); \
        int result = SCANNED((REAL(v_name, int, types const char *, va_list)(arguments format, values))); \
        va_end(values); \
        return result; \
    }
#define WITH ,
#define USE_STANDARD(name) use(stdin, name, SITE)
#define USE_FILE(name) use(file, name, SITE)
// Nothing is proved of a program that scans a text while there are other threads, because what the call writes is noted
// only afterwards.
#define USE_TEXT(name) \
    if (must_note()) { \
        lab_note_call(name); \
        lab_note_access(text, REAL(strlen, size_t, const char *)(text) + 1, 0, SITE); \
    }
// Defines all forms of scanf, whose names begin with the prefix.
#define SCANS_ALL(prefix) \
    SCANS(prefix##scanf, prefix##vscanf, , USE_STANDARD, , ) \
    SCANS(prefix##fscanf, prefix##vfscanf, FILE *file WITH, USE_FILE, file WITH, FILE * WITH) \
    SCANS(prefix##sscanf, prefix##vsscanf, const char *text WITH, USE_TEXT, text WITH, const char * WITH)
SCANS_ALL()
// The names that compilers call instead of these: for C99, and with newer C libraries for C23.
SCANS_ALL(__isoc99_)
SCANS_ALL(__isoc23_)

// MARK: - Bytes and lines

#define READS(type, name) \
    EXPORTED type name(FILE *file) { \
        use(file, #name, SITE); \
        return REAL(name, type, FILE *)(file); \
    }
READS(int, getc)
READS(int, fgetc)
READS(int, getc_unlocked)
READS(int, fgetc_unlocked)
// What the inline forms of getc call when the buffer is empty.
READS(int, __uflow)
READS(int, __underflow)
READS(wint_t, getwc)
READS(wint_t, fgetwc)

#define READS_STANDARD(name) \
    EXPORTED int name(void) { \
        use(stdin, #name, SITE); \
        return REAL(name, int, void)(); \
    }
READS_STANDARD(getchar)
READS_STANDARD(getchar_unlocked)

EXPORTED char *fgets(char *to, int size, FILE *file) {
    use(file, "fgets", SITE);
    char *line = REAL(fgets, char *, char *, int, FILE *)(to, size, file);
    if (line && must_note()) lab_note_access(line, REAL(strlen, size_t, const char *)(line) + 1, 1, SITE);
    return line;
}

static ssize_t read_up_to(int end, char **line, size_t *size, FILE *file, uint64_t site) {
    use(file, "getdelim", site);
    lab_note_access(line, sizeof *line, 1, site);
    lab_note_access(size, sizeof *size, 1, site);
    ssize_t count = REAL(getdelim, ssize_t, char **, size_t *, int, FILE *)(line, size, end, file);
    if (count > 0 && must_note()) lab_note_access(*line, (uint64_t)count + 1, 1, site);
    return count;
}

EXPORTED ssize_t getdelim(char **line, size_t *size, int end, FILE *file) { return read_up_to(end, line, size, file, SITE); }
EXPORTED ssize_t getline(char **line, size_t *size, FILE *file) { return read_up_to('\n', line, size, file, SITE); }
EXPORTED ssize_t __getdelim(char **line, size_t *size, int end, FILE *file) { return read_up_to(end, line, size, file, SITE); }

EXPORTED size_t fread(void *memory, size_t size, size_t count, FILE *file) {
    use(file, "fread", SITE);
    size_t bytes;
    int is_size = !__builtin_mul_overflow(size, count, &bytes);
    if (is_controlled() && is_size) lab_make_writable(memory, bytes);
    size_t done = REAL(fread, size_t, void *, size_t, size_t, FILE *)(memory, size, count, file);
    if (done && must_note()) lab_note_access(memory, done * size, 1, SITE);
    return done;
}

#endif
