// Reads and writes of channels. A thread whose call would block waits until another thread has made the call possible;
// if none ever does, that is a deadlock. Only the kernel knows what a channel holds, so it is asked each time.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void lab_end_change(int channel, uint64_t site) {
    if (!channel) return;
    lab_place_t place = lab_channel_place(channel, site);
    lab_wake_all(place);
    lab_stir(channel, site);
    lab_inside(compiled_unlock, place, COMPILED_NEVER);
}

void lab_change(int channel, uint64_t site) {
    lab_look_first(site);
    lab_inside(compiled_lock, lab_channel_place(channel, site), COMPILED_NEVER);
    lab_end_change(channel, site);
}

// Whether a call would return at once, with data, with room or with an error. Does not wait.
static int is_ready(int file, short events) {
    struct pollfd one = {.fd = file, .events = events};
    return lab_system(SYS_poll, (uint64_t)&one, 1, 0, 0, 0, 0) != 0;
}

static int is_blocking(int file) { return !(lab_system(SYS_fcntl, (uint64_t)file, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK); }

// A read or a write of a channel. events: for poll, those by which the call would not block. waits: whether the call
// may wait for them.
typedef struct {
    int file;
    short events;
    int waits;
    // A copy, because another thread may close the descriptor meanwhile.
    channel_t channel;
    // The system call, and its arguments after the descriptor.
    long number;
    uint64_t a, b, c, d, e;
    // When the time limit of the socket is over, in virtual time. 0: it has none.
    int64_t deadline;
    // Whether a broken pipe sends no SIGPIPE.
    int is_quiet;
} transfer_t;

// A write to a pipe that has no reader fails here, before the kernel would send SIGPIPE to the process.
static long call_system(const transfer_t *it) {
    struct pollfd one = {.fd = it->file, .events = POLLOUT};
    int writes = it->number == SYS_write || it->number == SYS_writev;
    if (writes && it->b > 0 && lab_system(SYS_poll, (uint64_t)&one, 1, 0, 0, 0, 0) > 0 && (one.revents & POLLERR)) {
        errno = EPIPE;
        return -1;
    }
    return lab_system(it->number, (uint64_t)it->file, it->a, it->b, it->c, it->d, it->e);
}

// Makes the system call. If the transfer may wait, waits before that until the call would not block. failure: set to
// errno. is_interrupted: set if a cancellation or a signal has ended the wait.
static ssize_t attempt(const transfer_t *it, lab_place_t place, int *failure, int *is_interrupted) {
    int64_t deadline = it->deadline ? it->deadline : COMPILED_NEVER;
    ssize_t result;
    for (int is_late = 0;; is_late = !lab_wait(place, deadline)) {
        int is_possible = !it->waits || is_ready(it->file, it->events) || !lab_channel(it->file);
        result = is_possible ? call_system(it) : -1;
        *failure = is_possible ? errno : EAGAIN;
        *is_interrupted = it->waits && result < 0 && *failure == EAGAIN && !is_late && lab_is_interrupted();
        if (!it->waits || result >= 0 || *failure != EAGAIN || is_late || *is_interrupted) return result;
    }
}

// Makes the transfer with the channel's lock held and, if it succeeds, wakes the threads that wait for the channel.
static ssize_t perform(transfer_t it, uint64_t site) {
    lab_place_t place = lab_channel_place(it.channel.number, site);
    ssize_t result;
    int failure, is_interrupted;
    while (1) {
        if (it.waits) lab_enter(place);
        else lab_look_first(site), lab_inside(compiled_lock, place, COMPILED_NEVER);
        result = attempt(&it, place, &failure, &is_interrupted);
        if (result >= 0) lab_wake_all(place), lab_stir(it.channel.number, site);
        if (it.waits) lab_leave(place);
        else lab_inside(compiled_unlock, place, COMPILED_NEVER);
        if (!is_interrupted) break;
        // As in the kernel, a call with a time limit is not restarted.
        lab_handled_t handled = lab_answer(site);
        if (handled == lab_ends || (handled && it.deadline)) {
            failure = EINTR;
            break;
        }
    }
    if (result < 0 && failure == EPIPE && !it.is_quiet) lab_signal_self(SIGPIPE, site);
    errno = failure;
    return result;
}

// Writes in parts of at most `most` bytes.
static ssize_t perform_in_parts(transfer_t it, size_t most, uint64_t site) {
    size_t size = it.b, done = 0;
    do {
        it.b = size - done < most ? size - done : most;
        ssize_t result = perform(it, site);
        if (result < 0) return done ? (ssize_t)done : -1;
        done += (size_t)result;
        it.a += (uint64_t)result;
    } while (it.waits && done < size);
    return (ssize_t)done;
}

// When the time limit is over that this option has set for a socket, in virtual time. 0: there is none.
static int64_t deadline_of(const channel_t *channel, int file, int option) {
    struct timeval limit = {0};
    socklen_t size = sizeof limit;
    if (channel->kind != channel_socket) return 0;
    if (lab_system(SYS_getsockopt, (uint64_t)file, SOL_SOCKET, (uint64_t)option, (uint64_t)&limit, (uint64_t)&size, 0) != 0) return 0;
    if (limit.tv_sec == 0 && limit.tv_usec == 0) return 0;
    return lab_deadline_after(&(struct timespec){limit.tv_sec, limit.tv_usec * 1000});
}

static int is_stream(int file) {
    int kind = 0;
    socklen_t size = sizeof kind;
    return lab_system(SYS_getsockopt, (uint64_t)file, SOL_SOCKET, SO_TYPE, (uint64_t)&kind, (uint64_t)&size, 0) == 0 && kind == SOCK_STREAM;
}

// A transfer without its system call. flags: as for recv and send.
static transfer_t receiving(int file, int flags) {
    transfer_t it = {.file = file, .channel = *lab_channel(file), .events = POLLIN};
    it.waits = is_blocking(file) && !(flags & MSG_DONTWAIT);
    it.deadline = it.waits ? deadline_of(&it.channel, file, SO_RCVTIMEO) : 0;
    return it;
}

static transfer_t sending(int file, int flags) {
    transfer_t it = {.file = file, .channel = *lab_channel(file), .events = POLLOUT, .is_quiet = (flags & MSG_NOSIGNAL) != 0};
    it.waits = is_blocking(file) && !(flags & MSG_DONTWAIT);
    it.deadline = it.waits ? deadline_of(&it.channel, file, SO_SNDTIMEO) : 0;
    return it;
}

ssize_t lab_receive(int file, void *memory, size_t size, int flags, uint64_t site) {
    transfer_t it = receiving(file, flags);
    int is_socket = it.channel.kind == channel_socket;
    // The call may read less than `size`, so the block of memory may be smaller than that.
    lab_note_access(memory, lab_rest_of_block((uint64_t)memory, size), 1, site);
    lab_make_writable(memory, size);
    it.number = is_socket ? SYS_recvfrom : SYS_read;
    it.a = (uint64_t)memory, it.b = size, it.c = (uint64_t)((flags | MSG_DONTWAIT) & ~MSG_WAITALL);
    ssize_t done = perform(it, site);
    // MSG_WAITALL of a stream: repeats the call until all bytes have been read.
    if (!it.waits || !(flags & MSG_WAITALL) || (flags & MSG_PEEK) || !is_socket || !is_stream(file)) return done;
    while (done > 0 && (size_t)done < size) {
        it.a = (uint64_t)memory + (size_t)done, it.b = size - (size_t)done;
        ssize_t more = perform(it, site);
        if (more <= 0) break;
        done += more;
    }
    return done;
}

// A pipe that is ready is sure to have room for PIPE_BUF bytes only, so more are written in parts.
static size_t most_at_once(const transfer_t *it) { return it->waits && it->channel.kind == channel_pipe ? PIPE_BUF : SIZE_MAX; }

static ssize_t send_all(int file, const void *memory, size_t size, int flags, uint64_t site) {
    transfer_t it = sending(file, flags);
    lab_note_access(memory, size, 0, site);
    it.number = it.channel.kind == channel_socket ? SYS_sendto : SYS_write;
    it.a = (uint64_t)memory, it.b = size, it.c = (uint64_t)(flags | MSG_DONTWAIT | MSG_NOSIGNAL);
    return perform_in_parts(it, most_at_once(&it), site);
}

ssize_t lab_read(int file, void *memory, size_t size, uint64_t site) {
    if (file != STDIN_FILENO || !lab_use_input(site)) lab_note_call("read");
    lab_begin_point(site);
    lab_use_descriptor(file, site);
    if (lab_channel(file)) return lab_receive(file, memory, size, 0, site);
    if (is_controlled()) lab_make_writable(memory, size);
    ssize_t done = REAL(read, ssize_t, int, void *, size_t)(file, memory, size);
    if (done > 0) lab_note_access(memory, (uint64_t)done, 1, site);
    return done;
}

EXPORTED ssize_t read(int file, void *memory, size_t size) { return lab_read(file, memory, size, SITE); }

static ssize_t receive(int socket, void *memory, size_t size, int flags, uint64_t site) {
    lab_note_call("recv");
    lab_begin_point(site);
    lab_use_descriptor(socket, site);
    if (lab_channel(socket)) return lab_receive(socket, memory, size, flags, site);
    if (is_controlled()) lab_make_writable(memory, size);
    ssize_t done = REAL(recv, ssize_t, int, void *, size_t, int)(socket, memory, size, flags);
    if (done > 0) lab_note_access(memory, (uint64_t)done, 1, site);
    return done;
}

EXPORTED ssize_t recv(int socket, void *memory, size_t size, int flags) { return receive(socket, memory, size, flags, SITE); }

ssize_t lab_write(int file, const void *memory, size_t size, uint64_t site) {
    lab_note_call("write");
    lab_begin_point(site);
    lab_use_descriptor(file, site);
    if (lab_channel(file)) return send_all(file, memory, size, 0, site);
    lab_note_access(memory, size, 0, site);
    return REAL(write, ssize_t, int, const void *, size_t)(file, memory, size);
}

EXPORTED ssize_t write(int file, const void *memory, size_t size) { return lab_write(file, memory, size, SITE); }

// To be called before any other call that may change a channel. Takes the channel's lock, so that threads that wait for
// the channel look again afterwards. Such a call goes to the system, and if it blocks, it blocks the process. Returns
// the number of the channel, or 0.
static int begin_change(int file, uint64_t site) {
    const channel_t *channel = lab_channel(file);
    if (!channel) return 0;
    lab_inside(compiled_lock, lab_channel_place(channel->number, site), COMPILED_NEVER);
    return channel->number;
}

int lab_begin_changes(uint64_t site) {
    int count = is_controlled() ? lab_channel_count() : 0;
    for (int i = 1; i <= count; i++) lab_inside(compiled_lock, lab_channel_place(i, site), COMPILED_NEVER);
    return count;
}

void lab_end_changes(int count, uint64_t site) {
    for (int channel = 1; channel <= count; channel++) lab_end_change(channel, site);
}

// The kernel refuses a call on more parts than IOV_MAX.
static int is_count(int count) { return count > 0 && count <= IOV_MAX; }

// Notes the accesses of a call on these parts of memory, and makes the parts writable if the call writes them.
static void note_parts(const struct iovec *parts, int count, int writes, uint64_t site) {
    if (!is_controlled() || !is_count(count)) return;
    lab_note_access(parts, (size_t)count * sizeof *parts, 0, site);
    for (int i = 0; i < count; i++) {
        void *memory = parts[i].iov_base;
        size_t size = parts[i].iov_len;
        // The call may write less than `size` bytes, as in lab_receive.
        lab_note_access(memory, writes ? lab_rest_of_block((uint64_t)memory, size) : size, writes, site);
        if (writes) lab_make_writable(memory, size);
    }
}

static void note_message(const struct msghdr *message, int writes, uint64_t site) {
    lab_note_access(message, sizeof *message, writes, site);
    if (lab_runs_program()) note_parts(message->msg_iov, (int)message->msg_iovlen, writes, site);
}

// Defines a function that is passed on to the system while the lock of its channel is held. parameters, types,
// arguments: the function's own; in `types`, AND stands for a comma. file: its descriptor. reads: the statement that
// notes the memory that it reads.
#define CHANGES(name, result, parameters, types, arguments, file, reads) \
    EXPORTED result name parameters { \
        lab_note_call(#name); \
        lab_begin_point(SITE); \
        lab_use_descriptor(file, SITE); \
        reads; \
        int channel = begin_change(file, SITE); \
        result done = REAL(name, result, types)arguments; \
        int failure = errno, is_broken = lab_was_pipe_broken(); \
        lab_end_change(channel, SITE); \
        if (is_broken) lab_signal_self(SIGPIPE, SITE); \
        errno = failure; \
        return done; \
    }
#define AND ,
CHANGES(sendto, ssize_t, (int socket, const void *memory, size_t size, int flags, __CONST_SOCKADDR_ARG address, socklen_t length),
        int AND const void * AND size_t AND int AND __CONST_SOCKADDR_ARG AND socklen_t, (socket, memory, size, flags, address, length), socket,
        lab_note_access(memory, size, 0, SITE))
CHANGES(sendmsg, ssize_t, (int socket, const struct msghdr *message, int flags), int AND const struct msghdr * AND int,
        (socket, message, flags), socket, note_message(message, 0, SITE))
CHANGES(vdprintf, int, (int file, const char *format, va_list values), int AND const char * AND va_list, (file, format, values), file,
        lab_note_printed(format, values, SITE))

EXPORTED int dprintf(int file, const char *format, ...) {
    lab_use_descriptor(file, SITE);
    va_list values;
    va_start(values, format);
    lab_note_printed(format, values, SITE);
    int done = vdprintf(file, format, values);
    va_end(values);
    return done;
}

EXPORTED ssize_t splice(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size, unsigned flags) {
    lab_note_call("splice");
    int count = lab_begin_changes(SITE);
    ssize_t done = REAL(splice, ssize_t, int, off64_t *, int, off64_t *, size_t, unsigned)(from, from_offset, to, to_offset, size, flags);
    int is_broken = lab_was_pipe_broken();
    lab_end_changes(count, SITE);
    if (is_broken) lab_signal_self(SIGPIPE, SITE);
    return done;
}

EXPORTED ssize_t send(int socket, const void *memory, size_t size, int flags) {
    lab_note_call("send");
    lab_begin_point(SITE);
    lab_use_descriptor(socket, SITE);
    if (lab_channel(socket)) return send_all(socket, memory, size, flags, SITE);
    lab_note_access(memory, size, 0, SITE);
    return REAL(send, ssize_t, int, const void *, size_t, int)(socket, memory, size, flags);
}

// The compiler calls these in place of read and recv with _FORTIFY_SOURCE. room: the size of the memory.
EXPORTED ssize_t __read_chk(int file, void *memory, size_t size, size_t room) {
    if (size > room) abort();
    return lab_read(file, memory, size, SITE);
}

EXPORTED ssize_t __recv_chk(int socket, void *memory, size_t size, size_t room, int flags) {
    if (size > room) abort();
    return receive(socket, memory, size, flags, SITE);
}

EXPORTED int eventfd_read(int file, eventfd_t *value) {
    lab_use_descriptor(file, SITE);
    if (!lab_channel(file)) return REAL(eventfd_read, int, int, eventfd_t *)(file, value);
    return lab_receive(file, value, sizeof *value, 0, SITE) == sizeof *value ? 0 : -1;
}

EXPORTED int eventfd_write(int file, eventfd_t value) {
    lab_use_descriptor(file, SITE);
    if (!lab_channel(file)) return REAL(eventfd_write, int, int, eventfd_t)(file, value);
    return send_all(file, &value, sizeof value, 0, SITE) == sizeof value ? 0 : -1;
}

EXPORTED ssize_t readv(int file, const struct iovec *parts, int count) {
    if (file != STDIN_FILENO || !lab_use_input(SITE)) lab_note_call("readv");
    lab_begin_point(SITE);
    lab_use_descriptor(file, SITE);
    note_parts(parts, count, 1, SITE);
    if (!lab_channel(file)) return REAL(readv, ssize_t, int, const struct iovec *, int)(file, parts, count);
    transfer_t it = receiving(file, 0);
    it.number = SYS_readv, it.a = (uint64_t)parts, it.b = (uint64_t)count;
    return perform(it, SITE);
}

static size_t size_of(const struct iovec *parts, int count) {
    size_t size = 0;
    for (int i = 0; i < count; i++) size += parts[i].iov_len;
    return size;
}

// Stores in `rest` the parts that remain after the first `done` bytes, up to `most` bytes. Returns their number.
static size_t find_rest(struct iovec *rest, const struct iovec *parts, int count, size_t done, size_t most) {
    size_t found = 0;
    for (int i = 0; i < count && most > 0; i++) {
        size_t skipped = done < parts[i].iov_len ? done : parts[i].iov_len, size = parts[i].iov_len - skipped;
        done -= skipped;
        if (size == 0) continue;
        rest[found++] = (struct iovec){(char *)parts[i].iov_base + skipped, size < most ? size : most};
        most -= size < most ? size : most;
    }
    return found;
}

// A system call writes all parts, or as much of them as most_at_once allows: they are one message to a socket, and
// nothing may come between them in a pipe if they have at most PIPE_BUF bytes. Further calls write the rest.
static ssize_t send_parts(int file, const struct iovec *parts, int count, uint64_t site) {
    struct iovec rest[IOV_MAX];
    struct msghdr message = {.msg_iov = rest};
    transfer_t it = sending(file, 0);
    int is_socket = it.channel.kind == channel_socket;
    it.number = is_socket ? SYS_sendmsg : SYS_writev;
    it.a = is_socket ? (uint64_t)&message : (uint64_t)rest;
    size_t size = size_of(parts, count), done = 0, most = most_at_once(&it);
    do {
        message.msg_iovlen = find_rest(rest, parts, count, done, most);
        it.b = is_socket ? MSG_DONTWAIT | MSG_NOSIGNAL : message.msg_iovlen;
        ssize_t result = perform(it, site);
        if (result < 0) return done ? (ssize_t)done : -1;
        done += (size_t)result;
    } while (it.waits && done < size);
    return (ssize_t)done;
}

EXPORTED ssize_t writev(int file, const struct iovec *parts, int count) {
    lab_note_call("writev");
    lab_begin_point(SITE);
    lab_use_descriptor(file, SITE);
    note_parts(parts, count, 0, SITE);
    if (lab_channel(file) && is_count(count) && size_of(parts, count) > 0) return send_parts(file, parts, count, SITE);
    return REAL(writev, ssize_t, int, const struct iovec *, int)(file, parts, count);
}

EXPORTED ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
    lab_note_call("recvmsg");
    lab_begin_point(SITE);
    lab_use_descriptor(socket, SITE);
    if (is_controlled()) {
        note_message(message, 1, SITE);
        lab_make_writable(message, sizeof *message);
        lab_make_writable(message->msg_name, message->msg_name ? message->msg_namelen : 0);
        lab_make_writable(message->msg_control, message->msg_control ? message->msg_controllen : 0);
    }
    if (!lab_channel(socket)) return REAL(recvmsg, ssize_t, int, struct msghdr *, int)(socket, message, flags);
    transfer_t it = receiving(socket, flags);
    it.number = SYS_recvmsg, it.a = (uint64_t)message, it.b = (uint64_t)(flags | MSG_DONTWAIT);
    return perform(it, SITE);
}

#endif
