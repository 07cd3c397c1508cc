// The layout of C++ streams and strings in memory (libstdc++).
#pragma once
#include "process/state.h"

// Offsets and sizes in std::ios, the base class of streams, in bytes. SETTINGS: precision, width and flags. STATE:
// whether input or output has failed. TIED: the stream that is flushed before each use of this one. FILL: the fill
// character. BUFFER: the pointer to the buffer. Behind it, up to BASE_SIZE, are the facets that convert characters and
// numbers.
enum { SETTINGS = 8, SETTINGS_SIZE = 20, STATE = 32, STATE_SIZE = 4, TIED = 216, FILL = 224, BUFFER = 232, BASE_SIZE = 264 };
// In a stream's buffer: the offset and the size in bytes of six pointers. The first three point into the text that is
// read, and the others, from number WRITTEN on, into the text that is written. POINTER: the size of one.
enum { POINTERS = 8, POINTERS_SIZE = 48, WRITTEN = 3, POINTER = sizeof(void *) };

// Returns the virtual base class of the stream. Its offset is in the virtual table, three words before the functions.
static inline char *base_of(void *stream) { return (char *)stream + (*(ptrdiff_t **)stream)[-3]; }

// The beginning of a std::string. A short text is in the string itself.
typedef struct {
    const char *bytes;
    size_t size;
} string_t;
enum { STRING_SIZE = 32 };

// A position in a stream: std::fpos.
typedef struct {
    int64_t offset, state;
} place_t;

// string_streams.c: whether the buffer is a std::stringbuf, which has no text before the first output.
HIDDEN int lab_is_string_buffer(char **buffer);
// streams.c: notes that the tied stream, if there is one, is flushed before the stream with this base is used.
HIDDEN void lab_use_tied(char *base, uint64_t site);
