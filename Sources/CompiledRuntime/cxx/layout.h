// How streams and strings of C++ (libstdc++) are in memory.
#pragma once
#include "process/state.h"

// Of a stream's base class std::ios, in bytes: precision, width and flags; the state; then the stream that is written before it, the
// character that fills, the buffer, and how characters and numbers are written.
enum { SETTINGS = 8, SETTINGS_SIZE = 20, STATE = 32, STATE_SIZE = 4, TIED = 216, FILL = 224, BUFFER = 232, BASE_SIZE = 264 };
// Of a buffer: its pointers into the text that is read and, from the fourth on, that is written.
enum { POINTERS = 8, POINTERS_SIZE = 48, WRITTEN = 3 };
enum { POINTER = sizeof(void *) };

// The stream's virtual base class.
static inline char *base_of(void *stream) { return (char *)stream + (*(ptrdiff_t **)stream)[-3]; }

// A string begins so, and its short texts are in itself.
typedef struct {
    const char *bytes;
    size_t size;
} string_t;
enum { STRING_SIZE = 32 };

// A place in a stream's text.
typedef struct {
    int64_t offset, state;
} place_t;

// string_streams.c: a buffer that becomes a string, or that is read from one. It has no text before the first output.
HIDDEN int lab_is_string_buffer(char **buffer);
// streams.c: before it uses a stream, one that is tied to it is written.
HIDDEN void lab_use_tied(char *base, uint64_t site);
