// Waits for one of several descriptors (poll, select, epoll). A thread that polls channels waits at a place of its own,
// where each change of any channel wakes it.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

// By thread: whether a channel that it polls has changed since it last looked. Protected by the lock of the place
// `poll_of(thread)`.
LAB_EACH_THREAD(int, are_stirred);

typedef struct {
    // Whether any entry of `waits` was set in this execution, so that the table has to be cleared for the next.
    int has_some;
    // By channel and thread: whether the next change of the channel has to wake the thread (lab_stir). Protected by the
    // channel's lock.
    uint8_t waits[MOST_CHANNELS][MOST_THREADS];
} pollers_t;
LAB_KEPT(pollers_t, pollers);

static void begin_polls(void) {
    if (pollers->has_some) memset(pollers, 0, sizeof *pollers);
}
LAB_PHASE(lab_before_execution, LAB_ANY, begin_polls);

static lab_place_t poll_of(int thread, uint64_t site) {
    return (lab_place_t){.address = &are_stirred[thread], .site = site, .text = "poll of", .thread = thread};
}

void lab_stir(int channel, uint64_t site) {
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (!pollers->waits[channel][thread]) continue;
        pollers->waits[channel][thread] = 0;
        lab_place_t place = poll_of(thread, site);
        lab_inside(compiled_lock, place, COMPILED_NEVER);
        are_stirred[thread] = 1;
        lab_wake_all(place);
        lab_inside(compiled_unlock, place, COMPILED_NEVER);
    }
}

// A system call: its number and its arguments.
typedef struct {
    long number;
    uint64_t a, b, c, d, e, f;
} call_t;

// Makes the system call, which does not block, with the locks of all channels held, so that none changes meanwhile. If
// nothing is ready, registers the thread in `waits`, for the next change of any channel.
static long look(call_t call, uint64_t site) {
    int count = lab_channel_count();
    for (int channel = 1; channel <= count; channel++) lab_inside(compiled_lock, lab_channel_place(channel, site), COMPILED_NEVER);
    long result = lab_system(call.number, call.a, call.b, call.c, call.d, call.e, call.f);
    for (int channel = 1; channel <= count; channel++) {
        if (result == 0) pollers->has_some = pollers->waits[channel][lab_state->current] = 1;
        lab_inside(compiled_unlock, lab_channel_place(channel, site), COMPILED_NEVER);
    }
    return result;
}

// The result of a call that a signal handler ends.
static long end_by_signal(void) {
    errno = EINTR;
    return -1;
}

// Repeats `call`, a system call that does not block, until something is ready, the deadline passes or a signal ends it.
// fill: restores, before each repetition, the sets that the call overwrites; may be null. is_masked: the caller has
// installed a mask and looked already, so any signal handled from now on ends the call, also before the first wait.
static long wait_with(call_t call, void (*fill)(const call_t *), int64_t deadline, int is_masked, uint64_t site) {
    lab_handled_t handled = lab_can_be_cancelled() ? lab_look(1, site) : lab_not_handled;
    if (is_masked && handled) return end_by_signal();
    if (!is_masked) lab_look_first(site);
    int *is_stirred = &are_stirred[lab_state->current], is_late = deadline <= lab_state->program.now;
    while (1) {
        if (fill) fill(&call);
        long result = look(call, site);
        if (result != 0 || is_late) return result;
        lab_place_t place = poll_of(lab_state->current, site);
        handled = lab_enter(place);
        while (!handled && !*is_stirred && !is_late && !lab_is_interrupted()) is_late = !lab_wait(place, deadline);
        int was_stirred = *is_stirred;
        *is_stirred = 0;
        int is_interrupted = lab_leave(place);
        // A handler that ran as the wait began, after the look, ends the call, too.
        if (handled) return end_by_signal();
        // A change of a channel has precedence over a signal: the thread looks again. If it finds nothing, `lab_enter`
        // handles the signal, and the call ends there.
        if (is_interrupted && !was_stirred && !is_late && lab_answer(site)) return end_by_signal();
    }
}

static long wait_for_any(call_t call, void (*fill)(const call_t *), int64_t deadline, uint64_t site) {
    return wait_with(call, fill, deadline, 0, site);
}

// Like wait_for_any, with `mask` as the thread's signal mask during the wait, unless it is null. If something is ready
// at once, signals that the mask unblocks are not handled.
static long wait_with_mask(
    call_t call, void (*fill)(const call_t *), int64_t deadline, const sigset_t *mask, uint64_t site) {
    if (!mask) return wait_for_any(call, fill, deadline, site);
    lab_look_first(site);
    if (fill) fill(&call);
    long result = look(call, site);
    if (result != 0) return result;
    uint64_t before = lab_swap_mask(mask, site);
    result = lab_deliver_signals(site) ? end_by_signal() : wait_with(call, fill, deadline, 1, site);
    int failure = errno;
    lab_put_mask_back(before, site);
    errno = failure;
    return result;
}

// The deadline of a time limit. A negative limit means none. With 0, the call does not wait.
static int64_t deadline_of(int milliseconds) {
    if (milliseconds < 0) return COMPILED_NEVER;
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * (LAB_SECOND / 1000)};
    return milliseconds == 0 ? 0 : lab_deadline_after(&limit);
}

static int64_t deadline_from(const struct timespec *limit, uint64_t site) {
    if (!limit) return COMPILED_NEVER;
    lab_note_access(limit, sizeof *limit, 0, site);
    return limit->tv_sec == 0 && limit->tv_nsec == 0 ? 0 : lab_deadline_after(limit);
}

static int is_wrong(const struct timespec *limit) {
    return limit && (limit->tv_sec < 0 || limit->tv_nsec < 0 || limit->tv_nsec >= LAB_SECOND);
}

// Whether all descriptors are channels. True if there are none: the call is then a sleep.
static int are_channels(const struct pollfd *files, nfds_t count) {
    for (nfds_t i = 0; i < count; i++) {
        if (files[i].fd >= 0 && !lab_channel(files[i].fd)) return 0;
    }
    return 1;
}

// Counts as a use of each descriptor.
static void use_all(const struct pollfd *files, nfds_t count, uint64_t site) {
    for (nfds_t i = 0; is_controlled() && i < count; i++) lab_use_descriptor(files[i].fd, site);
}

static int poll_for(struct pollfd *files, nfds_t count, int limit, uint64_t site) {
    lab_note_call("poll");
    use_all(files, count, site);
    if (is_controlled()) lab_make_writable(files, count * sizeof *files);
    if (!is_controlled() || !are_channels(files, count)) {
        return REAL(poll, int, struct pollfd *, nfds_t, int)(files, count, limit);
    }
    return (int)wait_for_any((call_t){.number = SYS_poll, .a = (uint64_t)files, .b = count}, NULL, deadline_of(limit), site);
}

EXPORTED int poll(struct pollfd *files, nfds_t count, int limit) { return poll_for(files, count, limit, SITE); }

static int poll_with_mask(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask, uint64_t site) {
    lab_note_call("ppoll");
    use_all(files, count, site);
    if (is_controlled()) lab_make_writable(files, count * sizeof *files);
    if (!is_controlled() || !are_channels(files, count) || is_wrong(limit)) {
        return REAL(ppoll, int, struct pollfd *, nfds_t, const struct timespec *, const sigset_t *)(files, count, limit, mask);
    }
    call_t call = {.number = SYS_poll, .a = (uint64_t)files, .b = count};
    return (int)wait_with_mask(call, NULL, deadline_from(limit, site), mask, site);
}

EXPORTED int ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
    return poll_with_mask(files, count, limit, mask, SITE);
}

// What poll and ppoll become with _FORTIFY_SOURCE: `room` is the size of the array.
EXPORTED int __poll_chk(struct pollfd *files, nfds_t count, int limit, size_t room) {
    if (room / sizeof *files < count) abort();
    return poll_for(files, count, limit, SITE);
}

EXPORTED int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask, size_t room) {
    if (room / sizeof *files < count) abort();
    return poll_with_mask(files, count, limit, mask, SITE);
}

// Whether the descriptor is an epoll instance that watches only channels.
static int is_own_epoll(int file) {
    const channel_t *watcher = lab_channel(file);
    return watcher && watcher->kind == channel_epoll && !watcher->has_others;
}

static call_t epoll_call(int file, struct epoll_event *events, int most) {
    if (most > 0) lab_make_writable(events, (size_t)most * sizeof *events);
    return (call_t){.number = SYS_epoll_wait, .a = (uint64_t)file, .b = (uint64_t)events, .c = (uint64_t)most};
}

EXPORTED int epoll_wait(int file, struct epoll_event *events, int most, int limit) {
    lab_note_call("epoll_wait");
    lab_use_descriptor(file, SITE);
    if (!is_own_epoll(file)) return REAL(epoll_wait, int, int, struct epoll_event *, int, int)(file, events, most, limit);
    return (int)wait_for_any(epoll_call(file, events, most), NULL, deadline_of(limit), SITE);
}

EXPORTED int epoll_pwait(int file, struct epoll_event *events, int most, int limit, const sigset_t *mask) {
    lab_note_call("epoll_pwait");
    lab_use_descriptor(file, SITE);
    if (!is_own_epoll(file)) {
        return REAL(epoll_pwait, int, int, struct epoll_event *, int, int, const sigset_t *)(file, events, most, limit, mask);
    }
    return (int)wait_with_mask(epoll_call(file, events, most), NULL, deadline_of(limit), mask, SITE);
}

EXPORTED int epoll_pwait2(int file, struct epoll_event *events, int most, const struct timespec *limit, const sigset_t *mask) {
    lab_note_call("epoll_pwait2");
    lab_use_descriptor(file, SITE);
    if (!is_own_epoll(file) || is_wrong(limit)) {
        return REAL(epoll_pwait2, int, int, struct epoll_event *, int, const struct timespec *, const sigset_t *)(
            file, events, most, limit, mask);
    }
    return (int)wait_with_mask(epoll_call(file, events, most), NULL, deadline_from(limit, SITE), mask, SITE);
}

// MARK: - select and pselect, which overwrite the sets that they are given

// The descriptors to read, to write, and to watch for exceptional conditions.
enum { SETS = 3 };

typedef struct {
    // The program's sets (null: not given), and copies of what they asked for.
    fd_set *sets[SETS];
    fd_set asked[SETS];
    // A time limit of zero, by whose address (`call.e`) `fill_sets` finds this structure.
    struct timeval none;
} selection_t;

static void fill_sets(const call_t *call) {
    selection_t *selection = (selection_t *)(call->e - offsetof(selection_t, none));
    for (int i = 0; i < SETS; i++) {
        if (selection->sets[i]) *selection->sets[i] = selection->asked[i];
    }
    selection->none = (struct timeval){0, 0};
}

// Whether all descriptors in the sets are channels. True if there are none: the call is then a sleep.
static int holds_channels(const selection_t *selection, int count) {
    for (int file = 0; file < count; file++) {
        for (int i = 0; i < SETS; i++) {
            if (selection->sets[i] && FD_ISSET(file, selection->sets[i]) && !lab_channel(file)) return 0;
        }
    }
    return 1;
}

// Uses the descriptors in the sets, and copies the sets.
static void begin_selection(selection_t *it, int count, uint64_t site) {
    for (int file = 0; file < count && file < FD_SETSIZE; file++) {
        int is_asked = 0;
        for (int i = 0; i < SETS; i++) is_asked |= it->sets[i] && FD_ISSET(file, it->sets[i]);
        if (is_asked) lab_use_descriptor(file, site);
    }
    for (int i = 0; i < SETS; i++) {
        if (!it->sets[i]) continue;
        lab_make_writable(it->sets[i], sizeof *it->sets[i]);
        it->asked[i] = *it->sets[i];
    }
}

static call_t call_for(selection_t *it, int count) {
    call_t call = {.number = SYS_select, .a = (uint64_t)count, .b = (uint64_t)it->sets[0], .c = (uint64_t)it->sets[1]};
    call.d = (uint64_t)it->sets[2];
    call.e = (uint64_t)&it->none;
    return call;
}

EXPORTED int select(int count, fd_set *to_read, fd_set *to_write, fd_set *failed, struct timeval *limit) {
    lab_note_call("select");
    selection_t it = {.sets = {to_read, to_write, failed}};
    if (is_controlled()) {
        begin_selection(&it, count, SITE);
        if (limit) lab_make_writable(limit, sizeof *limit);
    }
    int is_known = is_controlled() && count >= 0 && count <= FD_SETSIZE && holds_channels(&it, count);
    if (!is_known || (limit && (limit->tv_sec < 0 || limit->tv_usec < 0))) {
        return REAL(select, int, int, fd_set *, fd_set *, fd_set *, struct timeval *)(count, to_read, to_write, failed, limit);
    }
    struct timespec time = {limit ? limit->tv_sec : 0, limit ? limit->tv_usec * 1000 : 0};
    int is_zero = limit && limit->tv_sec == 0 && limit->tv_usec == 0;
    int64_t deadline = !limit ? COMPILED_NEVER : is_zero ? 0 : lab_deadline_after(&time);
    return (int)wait_for_any(call_for(&it, count), fill_sets, deadline, SITE);
}

EXPORTED int pselect(
    int count, fd_set *to_read, fd_set *to_write, fd_set *failed, const struct timespec *limit, const sigset_t *mask) {
    lab_note_call("pselect");
    selection_t it = {.sets = {to_read, to_write, failed}};
    if (is_controlled()) begin_selection(&it, count, SITE);
    int is_known = is_controlled() && count >= 0 && count <= FD_SETSIZE && holds_channels(&it, count);
    if (!is_known || is_wrong(limit)) {
        return REAL(pselect, int, int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *)(
            count, to_read, to_write, failed, limit, mask);
    }
    return (int)wait_with_mask(call_for(&it, count), fill_sets, deadline_from(limit, SITE), mask, SITE);
}

#endif
