// What the program gets from the system: files, channels, input. The declarations are grouped by the file that
// implements them.
#pragma once

#include "process/state.h"
#include <sys/types.h>

// lasting.c
// To be called when the function `name` opens a file, with its second and third argument. Notes a file that is opened
// to be written, because a later execution may read it.
HIDDEN void lab_note_opening(const char *name, uint64_t second, uint64_t third, uint64_t site);
// Notes the system call of this number, if its effect outlasts the execution.
HIDDEN void lab_note_lasting_number(long number, uint64_t site);

// channels.c
// The number of channels (channel_t) that the execution has made. They are numbered from 1.
HIDDEN int lab_channel_count(void);
// Gives up control of the channel: from here on, calls on its descriptors go to the system, and may block the process.
HIDDEN void lab_forget_channel(int number, uint64_t site);
// The channel that the descriptor refers to, or null.
HIDDEN channel_t *lab_channel(int file);
// The place where threads wait for the channel.
HIDDEN lab_place_t lab_channel_place(int number, uint64_t site);
// Like close and close_range, with the site of the program's call.
HIDDEN int lab_close(int file, uint64_t site);
HIDDEN int lab_close_range(unsigned first, unsigned last, int flags, uint64_t site);

// transfers.c
// Like read and write, with the site of the program's call. The runtime calls these, because the functions that the
// program calls note no accesses if their caller is the runtime's code.
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

// descriptors.c
// To be called when the running thread is about to use the descriptor; to close it; or to put another file there
// (dup2).
HIDDEN void lab_use_descriptor(int file, uint64_t caller);
HIDDEN void lab_close_descriptor(int file, uint64_t caller);
HIDDEN void lab_replace_descriptor(int file, uint64_t caller);

// random.c
// Like getrandom, with the site of the program's call.
HIDDEN ssize_t lab_get_random(void *to, size_t size, unsigned flags, uint64_t site);
// If the path is a device with random numbers, returns the function to call in place of fopen (`is_stream`) or open,
// with the same arguments. Otherwise returns null.
HIDDEN void *lab_open_random(const char *path, int is_stream);

// files.c
// To be called before the program opens or closes a file.
HIDDEN void lab_look_at_files(void);
// Whether the descriptor is not a standard one, and was open when the program started. It is not opened again if an
// execution closes it.
HIDDEN int lab_is_given(int file);
// Whether threadlab has opened the descriptor for itself. To the program, it is not open.
HIDDEN int lab_is_own_file(int file);
// To be called when the program is about to put another file at the descriptor. Ends the execution if the descriptor is
// threadlab's.
HIDDEN void lab_check_file(int file, uint64_t site);
// To be called when the program is about to close the descriptor.
HIDDEN void lab_note_closed(int file);

// input.c
// Copies standard input if it can be read only once. To be called before the program may read it by a function that
// does not call lab_use_input.
HIDDEN void lab_copy_input(uint64_t site);
// If the path is the program's standard input, and that has to be copied, returns the function to call in place of
// fopen or open, like lab_open_random. Otherwise returns null.
HIDDEN void *lab_open_input(const char *path, int is_stream, uint64_t site);
// To be called when the program is about to read standard input. Returns whether the schedule decides what it reads.
HIDDEN int lab_use_input(uint64_t site);
// From here on, standard input shares its position in the file with other processes.
HIDDEN void lab_share_input(void);
// To be called before the process starts again. If standard input was copied, makes the copy the process's standard
// input. Returns false if that is not possible.
HIDDEN int lab_give_input_again(void);
