// Streams of C++ (libstdc++) that write into a string or read from one. The library's code is not instrumented, so its
// accesses are noted here: to a stream's base class, and to the pointers of its buffer, which stand for all of its
// text.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "cxx/layout.h"
#include <dlfcn.h>

// The sizes of objects, in bytes. INPUT_SIZE, OUTPUT_SIZE, BOTH_SIZE: of std::istringstream, std::ostringstream and
// std::stringstream. STRING_BUFFER_SIZE: of their buffer, std::stringbuf. BUFFER_SIZE: of its base class,
// std::streambuf. OLDEST_SIZE: of std::ios_base. PLAIN_OUTPUT_SIZE, PLAIN_INPUT_SIZE: of std::ostream and std::istream.
enum { INPUT_SIZE = 384, OUTPUT_SIZE = 376, BOTH_SIZE = 392, STRING_BUFFER_SIZE = 104, BUFFER_SIZE = 64, OLDEST_SIZE = 216,
       PLAIN_OUTPUT_SIZE = 272, PLAIN_INPUT_SIZE = 280 };
// The offsets of the buffers in std::istringstream, std::ostringstream and std::stringstream.
enum { IN_INPUT = 16, IN_OUTPUT = 8, IN_BOTH = 24 };

// The virtual table of std::stringbuf; null: not looked up yet, or the program has none.
LAB_KEPT(void *, table);

int lab_is_string_buffer(char **buffer) {
    if (!*table) *table = lab_find(RTLD_DEFAULT, "_ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE");
    // An object points to the third word of its class's table.
    return *table && buffer[0] == (char *)*table + 2 * POINTER;
}

// MARK: - Making and destroying

// Defines a constructor or destructor, which counts as a write of the whole object. parameters, types, arguments: its
// own; in `types`, AND stands for a comma.
#define WRITES(name, size, parameters, types, arguments) \
    EXPORTED void name parameters { \
        lab_note_access(object, size, 1, SITE); \
        REAL(name, void, types)arguments; \
    }
#define AND ,
// Defines the constructors and the destructor of a class whose objects have the size `whole`.
#define MAKES(class, whole) \
    WRITES(_ZNSt7__cxx11##class##IcSt11char_traitsIcESaIcEEC1Ev, whole, (void *object), void *, (object)) \
    WRITES(_ZNSt7__cxx11##class##IcSt11char_traitsIcESaIcEEC1ESt13_Ios_Openmode, whole, (void *object, int mode), void * AND int, (object, mode)) \
    WRITES(_ZNSt7__cxx11##class##IcSt11char_traitsIcESaIcEED1Ev, whole, (void *object), void *, (object)) \
    MAKES_OF(_ZNSt7__cxx11##class##IcSt11char_traitsIcESaIcEEC1ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, whole, 0) \
    MAKES_OF(_ZNSt7__cxx11##class##IcSt11char_traitsIcESaIcEEC1EONS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, whole, 1)
// Constructors from a string, which is copied or moved.
#define MAKES_OF(name, whole, is_moved) \
    EXPORTED void name(void *object, string_t *text, int mode) { \
        lab_note_access(text, STRING_SIZE, is_moved, SITE); \
        if (is_controlled()) lab_note_access(text->bytes, text->size, 0, SITE); \
        lab_note_access(object, whole, 1, SITE); \
        REAL(name, void, void *, string_t *, int)(object, text, mode); \
    }
MAKES(19basic_istringstream, INPUT_SIZE)
MAKES(19basic_ostringstream, OUTPUT_SIZE)
MAKES(18basic_stringstream, BOTH_SIZE)
// Streams with a buffer that the program has made.
WRITES(_ZNSoC1EPSt15basic_streambufIcSt11char_traitsIcEE, PLAIN_OUTPUT_SIZE, (void *object, void *buffer), void * AND void *, (object, buffer))
WRITES(_ZNSoD1Ev, PLAIN_OUTPUT_SIZE, (void *object), void *, (object))
WRITES(_ZNSiC1EPSt15basic_streambufIcSt11char_traitsIcEE, PLAIN_INPUT_SIZE, (void *object, void *buffer), void * AND void *, (object, buffer))
WRITES(_ZNSiD1Ev, PLAIN_INPUT_SIZE, (void *object), void *, (object))
#define MAKES_BUFFER(form) \
    WRITES(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEC##form##Ev, STRING_BUFFER_SIZE, (void *object), void *, (object)) \
    WRITES(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEC##form##ESt13_Ios_Openmode, STRING_BUFFER_SIZE, (void *object, int mode), \
           void * AND int, (object, mode)) \
    MAKES_OF(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEC##form##ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, STRING_BUFFER_SIZE, 0) \
    MAKES_OF(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEC##form##EONS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, STRING_BUFFER_SIZE, 1) \
    WRITES(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEED##form##Ev, STRING_BUFFER_SIZE, (void *object), void *, (object))
MAKES_BUFFER(1)
MAKES_BUFFER(2)
WRITES(_ZNSt15basic_streambufIcSt11char_traitsIcEEC2Ev, BUFFER_SIZE, (void *object), void *, (object))
WRITES(_ZNSt15basic_streambufIcSt11char_traitsIcEED2Ev, BUFFER_SIZE, (void *object), void *, (object))
// What the program calls where the compiler has inlined constructors of streams.
WRITES(_ZNSt8ios_baseC2Ev, OLDEST_SIZE, (void *object), void *, (object))
WRITES(_ZNSt8ios_baseD2Ev, OLDEST_SIZE, (void *object), void *, (object))
WRITES(_ZNSt9basic_iosIcSt11char_traitsIcEE4initEPSt15basic_streambufIcS1_E, BASE_SIZE, (void *object, void *buffer), void * AND void *, (object, buffer))
WRITES(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE7_M_syncEPcmm, STRING_BUFFER_SIZE, (void *object, char *text, size_t in, size_t out),
       void * AND char * AND size_t AND size_t, (object, text, in, out))

// MARK: - The string

// Notes an access to the pointers of a buffer, for all of its text.
static void look_at_buffer(const void *buffer, int writes, uint64_t site) {
    lab_note_access((const char *)buffer + POINTERS, POINTERS_SIZE, writes, site);
}

// Functions that return the text as a string, whose address is the first argument. buffer: its offset in the stream.
#define TELLS(name, buffer) \
    EXPORTED void *name(void *result, const void *stream) { \
        look_at_buffer((const char *)stream + buffer, 0, SITE); \
        return REAL(name, void *, void *, const void *)(result, stream); \
    }
TELLS(_ZNKSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE3strEv, IN_INPUT)
TELLS(_ZNKSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv, IN_OUTPUT)
TELLS(_ZNKSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv, IN_BOTH)
TELLS(_ZNKSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv, 0)
TELLS(_ZNKRSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE3strEv, IN_INPUT)
TELLS(_ZNKRSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv, IN_OUTPUT)
TELLS(_ZNKRSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv, IN_BOTH)
TELLS(_ZNKRSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv, 0)

// Functions that replace the text. The library may free the old text. It holds no lock then, so the release can be a
// step.
#define TAKES(class, buffer) \
    EXPORTED void _ZNSt7__cxx11##class##IcSt11char_traitsIcESaIcEE3strERKNS_12basic_stringIcS2_S3_EE(void *stream, const string_t *text) { \
        lab_note_access(text, sizeof *text, 0, SITE); \
        if (is_controlled()) lab_note_access(text->bytes, text->size, 0, SITE); \
        look_at_buffer((const char *)stream + buffer, 1, SITE); \
        uint64_t before = lab_begin_release(SITE); \
        REAL(_ZNSt7__cxx11##class##IcSt11char_traitsIcESaIcEE3strERKNS_12basic_stringIcS2_S3_EE, void, void *, const string_t *)(stream, text); \
        lab_end_release(before); \
    }
TAKES(19basic_istringstream, IN_INPUT)
TAKES(19basic_ostringstream, IN_OUTPUT)
TAKES(18basic_stringstream, IN_BOTH)
TAKES(15basic_stringbuf, 0)

// MARK: - Functions that are called through virtual tables

// The library's virtual tables contain the functions below, too. Calls by the library's streams are not noted here,
// because the functions of streams note their uses of the buffer. The program calls these functions directly where the
// compiler has inlined their callers.
#define CALLED(name, result, parameters, types, arguments) \
    EXPORTED result name parameters { \
        if (is_controlled() && lab_is_program_code(SITE)) look_at_buffer(buffer, 1, SITE); \
        return REAL(name, result, types)arguments; \
    }
CALLED(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE8overflowEi, int, (void *buffer, int byte), void * AND int, (buffer, byte))
CALLED(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE9underflowEv, int, (void *buffer), void *, (buffer))
CALLED(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE9pbackfailEi, int, (void *buffer, int byte), void * AND int, (buffer, byte))
CALLED(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE9showmanycEv, long, (void *buffer), void *, (buffer))
CALLED(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE7seekoffElSt12_Ios_SeekdirSt13_Ios_Openmode, place_t,
       (void *buffer, long offset, int from, int mode), void * AND long AND int AND int, (buffer, offset, from, mode))
CALLED(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE7seekposESt4fposI11__mbstate_tESt13_Ios_Openmode, place_t,
       (void *buffer, place_t place, int mode), void * AND place_t AND int, (buffer, place, mode))

// Afterwards, the text is an array of the program's, which the program accesses directly. So accesses to the pointers
// no longer represent those to the text.
EXPORTED void *_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE6setbufEPcl(void *buffer, char *text, long size) {
    if (size > 0) lab_note_call("std::stringbuf::setbuf");
    if (is_controlled() && lab_is_program_code(SITE)) look_at_buffer(buffer, 1, SITE);
    return REAL(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE6setbufEPcl, void *, void *, char *, long)(buffer, text, size);
}

// Functions of the base class of all buffers, which classes of the program may call. They read or write bytes of the
// program's.
#define CALLED_WITH(name, type, writes) \
    EXPORTED long name(void *buffer, type bytes, long size) { \
        if (is_controlled() && lab_is_program_code(SITE)) { \
            look_at_buffer(buffer, 1, SITE); \
            if (size > 0) lab_note_access(bytes, writes ? lab_rest_of_block((uint64_t)bytes, (uint64_t)size) : (uint64_t)size, writes, SITE); \
        } \
        return REAL(name, long, void *, type, long)(buffer, bytes, size); \
    }
CALLED_WITH(_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsputnEPKcl, const char *, 0)
CALLED_WITH(_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsgetnEPcl, char *, 1)
CALLED(_ZNSt15basic_streambufIcSt11char_traitsIcEE5uflowEv, int, (void *buffer), void *, (buffer))
// Inline functions of buffers, which are called where the compiler has not inlined them.
CALLED(_ZNSt15basic_streambufIcSt11char_traitsIcEE5sputcEc, int, (void *buffer, char byte), void * AND char, (buffer, byte))
CALLED_WITH(_ZNSt15basic_streambufIcSt11char_traitsIcEE5sputnEPKcl, const char *, 0)
CALLED_WITH(_ZNSt15basic_streambufIcSt11char_traitsIcEE5sgetnEPcl, char *, 1)
CALLED(_ZNSt15basic_streambufIcSt11char_traitsIcEE5sgetcEv, int, (void *buffer), void *, (buffer))
CALLED(_ZNSt15basic_streambufIcSt11char_traitsIcEE6sbumpcEv, int, (void *buffer), void *, (buffer))
CALLED(_ZNSt15basic_streambufIcSt11char_traitsIcEE6snextcEv, int, (void *buffer), void *, (buffer))

EXPORTED void *_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv(const void *base) {
    lab_note_access((const char *)base + BUFFER, POINTER, 0, SITE);
    return REAL(_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv, void *, const void *)(base);
}

#endif
