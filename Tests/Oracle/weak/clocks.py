"""Happens-before by vector clocks, for the machines of oracle (b).

A clock is a tuple: how many events of each thread happened before. A thread has three: what it knows, what an acquire fence
would add (all that its reads have received), and what it knew at its last release fence, which its later relaxed writes
carry.
"""
from .program import ACQUIRES, RELEASES


def join(a, b):
    return tuple(x if x > y else y for x, y in zip(a, b))


class Clock:
    def __init__(self, now, received, released):
        self.now, self.received, self.released = now, received, released

    @staticmethod
    def zero(threads):
        return Clock(*((0,) * threads,) * 3)

    def event(self, thread, operation, order, message, writes):
        """The clock after an event, and what its write carries. `message`: what the write that it reads carries."""
        now = self.now[:thread] + (self.now[thread] + 1,) + self.now[thread + 1:]
        received, released = self.received, self.released
        if operation.kind == "fence":
            if order in ACQUIRES:
                now = join(now, received)
            if order in RELEASES:
                released = now
        elif operation.reads and order != "plain":
            received = join(received, message)
            if order in ACQUIRES:
                now = join(now, message)
        carried = None
        if writes:
            carried = (0,) * len(now) if order == "plain" else now if order in RELEASES else released
            if operation.reads:
                carried = join(carried, message)    # an update continues the release sequence
        return Clock(now, received, released), carried


def knows(clock, event):
    """Whether the event (thread, number from 0) happened before; initial writes always did."""
    return event[0] is None or clock[event[0]] > event[1]


def races(accesses, clock, thread, cell, writes):
    """Whether an access to a plain cell conflicts with an earlier one that did not happen before it.
    `accesses`: (event, cell, whether it writes)."""
    return any(other == cell and event[0] != thread and (writes or wrote) and not knows(clock, event)
               for event, other, wrote in accesses)
