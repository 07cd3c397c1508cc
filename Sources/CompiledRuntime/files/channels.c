// Channels: the pipes, pairs of sockets, event counters (eventfd) and epolls that an execution makes. One or more
// descriptors refer to a channel. The runtime has a lock and a condition for each, so that a thread that waits for a
// channel does not block the process.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: - Which descriptor refers to which channel

typedef struct {
    // The channel of each descriptor; and by number, what reports call each channel.
    channel_t of_files[MOST_FILES];
    const char *names[MOST_CHANNELS];
    int count;
} channels_t;
LAB_KEPT(channels_t, channels);

static void begin_channels(void) {
    if (channels->count) memset(channels->of_files, 0, sizeof channels->of_files);
    channels->count = 0;
}
LAB_PHASE(lab_before_execution, LAB_ANY, begin_channels);

int lab_channel_count(void) { return channels->count; }

channel_t *lab_channel(int file) {
    if (!is_controlled() || file < 0 || file >= MOST_FILES || !channels->of_files[file].number) return NULL;
    return &channels->of_files[file];
}

lab_place_t lab_channel_place(int number, uint64_t site) {
    const char **name = &channels->names[number];
    return (lab_place_t){.address = name, .site = site, .text = *name, .thread = number};
}

// Notes that the new descriptor refers to the channel. Returns the descriptor, also if its creation has failed (-1),
// when there is nothing to note.
static int add(int file, channel_t channel) {
    if (file >= 0 && file < MOST_FILES) channels->of_files[file] = channel;
    return file;
}

// Numbers a new channel. Ends the execution if there are too many.
static channel_t next(const char *name, channel_kind_t kind, uint64_t site) {
    if (channels->count + 1 == MOST_CHANNELS) {
        static const char text[] = "makes more pipes, pairs of sockets, event counters and epolls in one execution than threadlab supports: 1023";
        lab_ask((compiled_request_t){.kind = compiled_unsupported, .text = text, .site = site});
    }
    channels->names[++channels->count] = name;
    return (channel_t){.number = channels->count, .kind = kind};
}

// MARK: - Making channels

// Takes or releases (`kind`) the lock around calls that make or close descriptors: which number is the lowest free one,
// and goes to a new descriptor, depends on the order of these calls.
static void order_calls(compiled_kind_t kind, uint64_t site) {
    if (lab_state->unjoined < 2) return;
    lab_place_t place = {.address = &channels->count, .site = site, .text = "descriptors", .thread = 1 /* the only one */};
    lab_inside(kind, place, COMPILED_NEVER);
}

// Notes that both descriptors refer to the channel, unless the call that makes them has failed.
static int add_ends(int result, const int ends[2], channel_t channel) {
    if (result != 0) return result;
    add(ends[0], channel);
    add(ends[1], channel);
    return 0;
}

static int make_pipe(int ends[2], int flags, uint64_t site) {
    if (!is_controlled()) return REAL(pipe2, int, int *, int)(ends, flags);
    lab_note_call("pipe");
    lab_note_access(ends, 2 * sizeof *ends, 1, site);
    lab_make_writable(ends, 2 * sizeof *ends);
    order_calls(compiled_lock, site);
    int result = add_ends(REAL(pipe2, int, int *, int)(ends, flags), ends, next("pipe", channel_pipe, site));
    order_calls(compiled_unlock, site);
    return result;
}

EXPORTED int pipe2(int ends[2], int flags) { return make_pipe(ends, flags, SITE); }
EXPORTED int pipe(int ends[2]) { return make_pipe(ends, 0, SITE); }

EXPORTED int socketpair(int domain, int kind, int protocol, int ends[2]) {
    if (!is_controlled()) return REAL(socketpair, int, int, int, int, int *)(domain, kind, protocol, ends);
    lab_note_call("socketpair");
    lab_note_access(ends, 2 * sizeof *ends, 1, SITE);
    lab_make_writable(ends, 2 * sizeof *ends);
    order_calls(compiled_lock, SITE);
    int result = REAL(socketpair, int, int, int, int, int *)(domain, kind, protocol, ends);
    add_ends(result, ends, next("socket pair", channel_socket, SITE));
    order_calls(compiled_unlock, SITE);
    return result;
}

EXPORTED int eventfd(unsigned value, int flags) {
    if (!is_controlled()) return REAL(eventfd, int, unsigned, int)(value, flags);
    lab_note_call("eventfd");
    order_calls(compiled_lock, SITE);
    int file = add(REAL(eventfd, int, unsigned, int)(value, flags), next("event counter", channel_counter, SITE));
    order_calls(compiled_unlock, SITE);
    return file;
}

static int make_epoll(int flags, uint64_t site) {
    if (!is_controlled()) return REAL(epoll_create1, int, int)(flags);
    lab_note_call("epoll_create");
    order_calls(compiled_lock, site);
    int file = add(REAL(epoll_create1, int, int)(flags), next("epoll", channel_epoll, site));
    order_calls(compiled_unlock, site);
    return file;
}

EXPORTED int epoll_create1(int flags) { return make_epoll(flags, SITE); }

EXPORTED int epoll_create(int size) {
    if (is_controlled() && size > 0) return make_epoll(0, SITE);
    return REAL(epoll_create, int, int)(size);
}

EXPORTED int epoll_ctl(int epoll, int operation, int file, struct epoll_event *event) {
    lab_use_descriptor(epoll, SITE);
    lab_use_descriptor(file, SITE);
    channel_t *watcher = lab_channel(epoll);
    if (watcher && operation == EPOLL_CTL_ADD && !lab_channel(file)) watcher->has_others = 1;
    if (event && lab_runs_program()) lab_hide_pointer(event->data.u64);
    int result = REAL(epoll_ctl, int, int, int, int, struct epoll_event *)(epoll, operation, file, event);
    if (watcher && result == 0) lab_change(watcher->number, SITE);
    return result;
}

// MARK: - Closing and copying descriptors

// Closes the descriptor. If it was the last of one end of a channel, the other end is now ready, so waiting threads are
// woken.
static int close_file(int file, uint64_t site) {
    if (lab_is_own_file(file)) {
        errno = EBADF;
        return -1;
    }
    lab_note_closed(file);
    // Before the runtime takes its locks: these order threads more than the system does, and would hide races.
    lab_close_descriptor(file, site);
    channel_t *channel = lab_channel(file);
    if (!channel) {
        lab_note_call("close");
        return REAL(close, int, int)(file);
    }
    int number = channel->number;
    lab_place_t place = lab_channel_place(number, site);
    lab_look_first(site);
    order_calls(compiled_lock, site);
    lab_inside(compiled_lock, place, COMPILED_NEVER);
    channel->number = 0;
    int result = REAL(close, int, int)(file);
    lab_end_change(number, site);
    order_calls(compiled_unlock, site);
    return result;
}

static int is_open(int file) { return lab_system(SYS_fcntl, (uint64_t)file, F_GETFD, 0, 0, 0, 0) >= 0; }

// Closes descriptors one by one, because some refer to channels, and some are threadlab's.
static int close_all(unsigned first, unsigned last, int flags, uint64_t site) {
    lab_note_call("close_range");
    for (unsigned file = first; file <= last && file < MOST_FILES; file++) {
        if (lab_is_own_file((int)file) || !is_open((int)file)) continue;
        if (flags & (int)CLOSE_RANGE_CLOEXEC) lab_system(SYS_fcntl, file, F_SETFD, FD_CLOEXEC, 0, 0, 0);
        else close_file((int)file, site);
    }
    if (last < MOST_FILES) return 0;
    unsigned rest = first < MOST_FILES ? MOST_FILES : first;
    return REAL(close_range, int, unsigned, unsigned, int)(rest, last, flags);
}

int lab_close_range(unsigned first, unsigned last, int flags, uint64_t site) {
    if (!is_controlled() || first > last || (flags & ~(int)CLOSE_RANGE_CLOEXEC)) {
        return REAL(close_range, int, unsigned, unsigned, int)(first, last, flags);
    }
    return close_all(first, last, flags, site);
}

EXPORTED int close_range(unsigned first, unsigned last, int flags) { return lab_close_range(first, last, flags, SITE); }

EXPORTED void closefrom(int first) {
    if (is_controlled()) close_all(first < 0 ? 0 : (unsigned)first, ~0u, 0, SITE);
    else REAL(closefrom, void, int)(first);
}

int lab_close(int file, uint64_t site) {
    lab_begin_point(site);
    if (is_controlled()) return close_file(file, site);
    return REAL(close, int, int)(file);
}

EXPORTED int close(int file) { return lab_close(file, SITE); }

EXPORTED int shutdown(int file, int how) {
    int result = REAL(shutdown, int, int, int)(file, how);
    channel_t *channel = lab_channel(file);
    lab_note_call("shutdown");
    if (channel) lab_change(channel->number, SITE);
    return result;
}

void lab_forget_channel(int number, uint64_t site) {
    for (int i = 0; i < MOST_FILES; i++) {
        if (channels->of_files[i].number == number) channels->of_files[i].number = 0;
    }
    lab_change(number, site);
}

// The runtime does not see what a stream does with its descriptor, so the channel is given up.
EXPORTED FILE *fdopen(int file, const char *mode) {
    lab_note_call("fdopen");
    const channel_t *channel = lab_channel(file);
    if (channel) lab_forget_channel(channel->number, SITE);
    return REAL(fdopen, FILE *, int, const char *)(file, mode);
}

// Notes that `made`, a new copy of the descriptor, refers to the same channel. Returns `made`.
static int copy(int file, int made) {
    channel_t *channel = lab_channel(file);
    return channel && made >= 0 ? add(made, *channel) : made;
}

// To be called before a descriptor is copied. A read by a copy of standard input does not call lab_use_input, so
// standard input is copied now if it can be read only once.
static void begin_copy(int file, uint64_t site) {
    if (file == STDIN_FILENO) lab_copy_input(site);
    lab_use_descriptor(file, site);
}

EXPORTED int dup(int file) {
    lab_note_call("dup");
    begin_copy(file, SITE);
    if (!lab_channel(file)) return REAL(dup, int, int)(file);
    order_calls(compiled_lock, SITE);
    int made = copy(file, REAL(dup, int, int)(file));
    order_calls(compiled_unlock, SITE);
    return made;
}

// Closes `wanted` and makes it a copy of `file` at once, so that no other thread gets the number in between.
static int copy_to(int file, int wanted, int flags, uint64_t site) {
    begin_copy(file, site);
    lab_replace_descriptor(wanted, site);
    lab_look_first(site);
    order_calls(compiled_lock, site);
    int is_copied = is_open(file) && file != wanted;
    if (is_copied) lab_check_file(wanted, site);
    // A channel at a standard descriptor is given up: the runtime does not see what the C library's streams do there.
    const channel_t *channel = is_copied && wanted <= STDERR_FILENO ? lab_channel(file) : NULL;
    if (channel) lab_forget_channel(channel->number, site);
    channel_t *replaced = lab_channel(wanted);
    int number = is_copied && replaced ? replaced->number : 0;
    if (number) lab_inside(compiled_lock, lab_channel_place(number, site), COMPILED_NEVER);
    int made = REAL(dup3, int, int, int, int)(file, wanted, flags), failure = errno;
    if (number && made >= 0) replaced->number = 0;
    copy(file, made);
    if (number) lab_end_change(number, site);
    order_calls(compiled_unlock, site);
    errno = failure;
    return made;
}

EXPORTED int dup3(int file, int wanted, int flags) {
    lab_note_call("dup");
    lab_note_closed(wanted);
    if (!is_controlled()) return REAL(dup3, int, int, int, int)(file, wanted, flags);
    return copy_to(file, wanted, flags, SITE);
}

// Does not call dup3, which would find its caller in the runtime's code, and so note no accesses.
EXPORTED int dup2(int file, int wanted) {
    lab_note_call("dup");
    if (!is_controlled() || file == wanted) return REAL(dup2, int, int, int)(file, wanted);
    lab_note_closed(wanted);
    return copy_to(file, wanted, 0, SITE);
}

// Defines fcntl under this name. Two of its commands copy a descriptor.
#define FCNTL(name) \
    EXPORTED int name(int file, int command, ...) { \
        va_list values; \
        va_start(values, command); \
        long argument = va_arg(values, long); \
        va_end(values); \
        lab_note_call("fcntl"); \
        if (command == F_SETLKW) lab_begin_point(SITE); \
        int copies = is_controlled() && (command == F_DUPFD || command == F_DUPFD_CLOEXEC); \
        if (copies) begin_copy(file, SITE), order_calls(compiled_lock, SITE); \
        int result = REAL(name, int, int, int, long)(file, command, argument), failure = errno; \
        if (copies) copy(file, result), order_calls(compiled_unlock, SITE); \
        errno = failure; \
        return result; \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

#endif
