// What the program has from the system: files, channels, input. By the file that has them.
#pragma once

#include "process/state.h"

// lasting.c
// A function that opens a file is called with these arguments behind the first: to write means to change what a later execution may read.
HIDDEN void lab_note_opening(const char *name, uint64_t second, uint64_t third, uint64_t site);
// The system call with this number is made.
HIDDEN void lab_note_lasting_number(long number, uint64_t site);

// channels.c
// They have the numbers from 1 to that.
HIDDEN int lab_channel_count(void);
// From here on its descriptors are like others, which may block the process.
HIDDEN void lab_forget_channel(int number, uint64_t site);
// Null: the descriptor is of no channel.
HIDDEN channel_t *lab_channel(int file);
HIDDEN lab_place_t lab_channel_place(int number, uint64_t site);

// transfers.c: threads that wait for the channel look again.
HIDDEN void lab_change(int channel, uint64_t site);
// With its lock held, which it releases: they do so when they get it.
HIDDEN void lab_end_change(int channel, uint64_t site);
// Before and after a call that may change any of them. Returns how many there are.
HIDDEN int lab_begin_changes(uint64_t site);
HIDDEN void lab_end_changes(int count, uint64_t site);

// descriptors.c: the running thread is about to use a descriptor, to close it, or to put another file there.
HIDDEN void lab_use_descriptor(int file, uint64_t caller);
HIDDEN void lab_close_descriptor(int file, uint64_t caller);
HIDDEN void lab_replace_descriptor(int file, uint64_t caller);

// random.c
// Of a function that opens files: what it calls instead, if the file has random numbers. Null: it has none.
HIDDEN void *lab_open_random(const char *path, int is_stream);

// files.c: the files that are open before an execution, and those that it has opened.
// To be called before the program opens or closes any.
HIDDEN void lab_look_at_files(void);
// Whether the program was given it, and has to leave it as it is for the next execution; not a standard stream.
HIDDEN int lab_is_given(int file);
// The descriptor is threadlab's, so for the program it is not open.
HIDDEN int lab_is_own_file(int file);
// The program may not put another file there.
HIDDEN void lab_check_file(int file, uint64_t site);
// The program is about to close it.
HIDDEN void lab_note_closed(int file);

// input.c
// The program may read it by other functions than those that are known to.
HIDDEN void lab_copy_input(uint64_t site);
// Of a function that opens files: what it calls instead, if the file is its standard input, and that was copied. Null: it is not.
HIDDEN void *lab_open_input(const char *path, int is_stream, uint64_t site);
// The program is about to read it. Whether the schedule decides what it gets.
HIDDEN int lab_use_input(uint64_t site);
// The descriptor's place in the file is that of other processes, too.
HIDDEN void lab_share_input(void);
// Before the process begins again: what was copied is its standard input. False: that is not possible.
HIDDEN int lab_give_input_again(void);
