// Waits for one of several descriptors. A thread that polls channels waits at a place of its own, where it is woken by each change of any channel.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "state.h"
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

static lab_place_t poll_of(int thread, uint64_t site) {
    return (lab_place_t){.address = &lab_state->fibers[thread].is_stirred, .site = site, .text = "poll of", .thread = thread};
}

void lab_stir(int channel, uint64_t site) {
    for (int thread = 0; thread < lab_state->thread_count; thread++) {
        if (!lab_state->pollers[channel][thread]) continue;
        lab_state->pollers[channel][thread] = 0;
        lab_place_t place = poll_of(thread, site);
        lab_inside(compiled_lock, place, COMPILED_NEVER);
        lab_state->fibers[thread].is_stirred = 1;
        lab_wake_all(place);
        lab_inside(compiled_unlock, place, COMPILED_NEVER);
    }
}

typedef struct {
    long number;
    uint64_t a, b, c, d, e, f;
} call_t;

// No channel changes meanwhile. If there is nothing, the thread notices the next change of each.
static long look(call_t call, uint64_t site) {
    int count = lab_state->channel_count;
    for (int channel = 1; channel <= count; channel++) lab_inside(compiled_lock, lab_channel_place(channel, site), COMPILED_NEVER);
    long result = lab_system(call.number, call.a, call.b, call.c, call.d, call.e, call.f);
    for (int channel = 1; channel <= count; channel++) {
        if (result == 0) lab_state->pollers[channel][lab_state->current] = 1;
        lab_inside(compiled_unlock, lab_channel_place(channel, site), COMPILED_NEVER);
    }
    return result;
}

// call: asks without waiting. fill: puts back what it asks about.
static long wait_for_any(call_t call, void (*fill)(const call_t *), int64_t deadline, uint64_t site) {
    lab_test_cancellation(site);
    fiber_t *fiber = &lab_state->fibers[lab_state->current];
    int is_late = deadline <= lab_state->program.now;
    while (1) {
        if (fill) fill(&call);
        long result = look(call, site);
        if (result != 0 || is_late) return result;
        lab_place_t place = poll_of(lab_state->current, site);
        lab_enter(place);
        while (!fiber->is_stirred && !is_late && !lab_is_interrupted()) is_late = !lab_wait(place, deadline);
        fiber->is_stirred = 0;
        if (lab_leave(place)) lab_cancel_self();
    }
}

static int64_t deadline_of(int milliseconds) {
    if (milliseconds < 0) return COMPILED_NEVER;
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return milliseconds == 0 ? 0 : lab_deadline_after(&limit);
}

static int are_channels(const struct pollfd *files, nfds_t count) {
    int found = 0;
    for (nfds_t i = 0; i < count; i++) {
        if (files[i].fd >= 0 && !lab_channel(files[i].fd)) return 0;
        found |= files[i].fd >= 0;
    }
    return found;
}

EXPORTED int poll(struct pollfd *files, nfds_t count, int limit) {
    lab_note_call("poll");
    if (is_controlled()) lab_make_writable(files, count * sizeof *files);
    if (!is_controlled() || !are_channels(files, count)) {
        return REAL(poll, int, struct pollfd *, nfds_t, int)(files, count, limit);
    }
    return (int)wait_for_any((call_t){.number = SYS_poll, .a = (uint64_t)files, .b = count}, NULL, deadline_of(limit), SITE);
}

EXPORTED int epoll_wait(int file, struct epoll_event *events, int most, int limit) {
    lab_note_call("epoll_wait");
    if (is_controlled() && most > 0) lab_make_writable(events, (size_t)most * sizeof *events);
    const channel_t *watcher = lab_channel(file);
    if (!watcher || watcher->has_others) return REAL(epoll_wait, int, int, struct epoll_event *, int, int)(file, events, most, limit);
    call_t call = {.number = SYS_epoll_wait, .a = (uint64_t)file, .b = (uint64_t)events, .c = (uint64_t)most};
    return (int)wait_for_any(call, NULL, deadline_of(limit), SITE);
}

// MARK: - Sets of descriptors, which the call changes

typedef struct {
    fd_set *sets[3];
    fd_set asked[3];
    struct timeval none;
} selection_t;

static void fill_sets(const call_t *call) {
    selection_t *selection = (selection_t *)(call->e - offsetof(selection_t, none));
    for (int i = 0; i < 3; i++) {
        if (selection->sets[i]) *selection->sets[i] = selection->asked[i];
    }
    selection->none = (struct timeval){0, 0};
}

static int holds_channels(const selection_t *selection, int count) {
    int found = 0;
    for (int file = 0; file < count; file++) {
        for (int i = 0; i < 3; i++) {
            if (!selection->sets[i] || !FD_ISSET(file, selection->sets[i])) continue;
            if (!lab_channel(file)) return 0;
            found = 1;
        }
    }
    return found;
}

EXPORTED int select(int count, fd_set *to_read, fd_set *to_write, fd_set *failed, struct timeval *limit) {
    lab_note_call("select");
    selection_t it = {.sets = {to_read, to_write, failed}};
    if (is_controlled()) {
        for (int i = 0; i < 3; i++) {
            if (!it.sets[i]) continue;
            lab_make_writable(it.sets[i], sizeof *it.sets[i]);
            it.asked[i] = *it.sets[i];
        }
        if (limit) lab_make_writable(limit, sizeof *limit);
    }
    if (!is_controlled() || count > FD_SETSIZE || !holds_channels(&it, count)) {
        return REAL(select, int, int, fd_set *, fd_set *, fd_set *, struct timeval *)(count, to_read, to_write, failed, limit);
    }
    struct timespec time = {limit ? limit->tv_sec : 0, limit ? limit->tv_usec * 1000 : 0};
    int is_look = limit && limit->tv_sec == 0 && limit->tv_usec == 0;
    call_t call = {.number = SYS_select, .a = (uint64_t)count, .b = (uint64_t)to_read, .c = (uint64_t)to_write, .d = (uint64_t)failed};
    call.e = (uint64_t)&it.none;
    return (int)wait_for_any(call, fill_sets, !limit ? COMPILED_NEVER : is_look ? 0 : lab_deadline_after(&time), SITE);
}

#endif
