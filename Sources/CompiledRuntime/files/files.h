// What the program gets from the system: files, channels, input. The declarations are grouped by the file that
// implements them.
#pragma once

#include "process/state.h"
#include <sys/types.h>

// lasting.c
// To be called when a function opens a file, with its second and third argument. Notes a file that is opened to be
// written, because a later execution may read it.
HIDDEN void lab_note_opening(const char *name, uint64_t second, uint64_t third, uint64_t site);
// Notes the system call of this number, if its effect outlasts the execution.
HIDDEN void lab_note_lasting_number(long number, uint64_t site);

// channels.c
// Channels are numbered from 1 to this.
HIDDEN int lab_channel_count(void);
// From here on, the descriptors of this channel are treated like any others, which may block the process.
HIDDEN void lab_forget_channel(int number, uint64_t site);
// The channel that the descriptor refers to, or null.
HIDDEN channel_t *lab_channel(int file);
// The lock and the condition of the channel.
HIDDEN lab_place_t lab_channel_place(int number, uint64_t site);
HIDDEN int lab_close(int file, uint64_t site);
HIDDEN int lab_close_range(unsigned first, unsigned last, int flags, uint64_t site);

// transfers.c
// Here and below: functions that the program calls, with the site of its call. Called from the runtime's own code, the
// function of the program would note no accesses.
HIDDEN ssize_t lab_read(int file, void *memory, size_t size, uint64_t site);
HIDDEN ssize_t lab_write(int file, const void *memory, size_t size, uint64_t site);
// Reads from a channel. flags: as for recv.
HIDDEN ssize_t lab_receive(int file, void *memory, size_t size, int flags, uint64_t site);
// Takes the lock of the channel, wakes the threads that wait for it, and releases the lock.
HIDDEN void lab_change(int channel, uint64_t site);
// Wakes the threads that wait for the channel, and releases its lock, which the caller holds.
HIDDEN void lab_end_change(int channel, uint64_t site);
// To be called before and after a call that may change any channel. The first takes the locks of all channels, and
// returns how many there are.
HIDDEN int lab_begin_changes(uint64_t site);
HIDDEN void lab_end_changes(int count, uint64_t site);

// descriptors.c: the running thread is about to use the descriptor; to close it; to put another file there.
HIDDEN void lab_use_descriptor(int file, uint64_t caller);
HIDDEN void lab_close_descriptor(int file, uint64_t caller);
HIDDEN void lab_replace_descriptor(int file, uint64_t caller);

// random.c
HIDDEN ssize_t lab_get_random(void *to, size_t size, unsigned flags, uint64_t site);
// If the path is a device with random numbers, returns the function that the program's call is passed on to: it has the
// arguments of fopen (`is_stream`) or of open. Otherwise null.
HIDDEN void *lab_open_random(const char *path, int is_stream);

// files.c: the files that are open before an execution, and those that it has opened.
// To be called before the program opens or closes a file.
HIDDEN void lab_look_at_files(void);
// Whether the descriptor was given to the program, which has to leave it as it is for the next execution. Not if it is
// a standard one.
HIDDEN int lab_is_given(int file);
// Whether the descriptor is threadlab's. To the program, it is not open.
HIDDEN int lab_is_own_file(int file);
// The program is about to put another file there: ends the execution if the descriptor is threadlab's.
HIDDEN void lab_check_file(int file, uint64_t site);
// The program is about to close the descriptor.
HIDDEN void lab_note_closed(int file);

// input.c
// Copies standard input if it can be read only once. To be called before the program may read it by a function that
// does not call lab_use_input.
HIDDEN void lab_copy_input(uint64_t site);
// If the path is the program's standard input, and that was copied, returns the function that the program's call is
// passed on to, like lab_open_random. Otherwise null.
HIDDEN void *lab_open_input(const char *path, int is_stream, uint64_t site);
// The program is about to read standard input. Returns whether the schedule decides what it gets.
HIDDEN int lab_use_input(uint64_t site);
// From here on, standard input shares its position in the file with other processes.
HIDDEN void lab_share_input(void);
// Before the process begins again: if standard input was copied, makes the copy its standard input. False: that is not
// possible.
HIDDEN int lab_give_input_again(void);
