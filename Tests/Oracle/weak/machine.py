"""What the machines of oracle (b) have in common: a state that is taken forward one event at a time, and a search over all
states. A state is an execution graph so far; two ways to the same graph are one state."""
from .clocks import Clock, races
from .results import Result


class Raced(Exception):
    """A data race: there is nothing more to say about the program."""


class Message:
    """A write: its event (thread, number), cell, value, what it carries, and whether it is an update."""

    def __init__(self, event, cell, value, carried, isUpdate):
        self.event, self.cell, self.value, self.carried, self.isUpdate = event, cell, value, carried, isUpdate


class State:
    """`threads`: local states. `orders`: for each cell its messages in modification order. `log`: for each thread its events,
    as (operation kind, cell, order, event that it reads from or None, whether it writes, clock). `buffers`: TSO only."""

    def __init__(self, program):
        self.program, count = program, len(program.threads)
        self.threads = [thread.start() for thread in program.threads]
        self.clocks = [Clock.zero(count)] * count
        self.orders = [(Message((None, i), i, value, (0,) * count, False),) for i, (_, _, value) in enumerate(program.cells)]
        self.log = [()] * count
        self.buffers = [()] * count
        self.accesses = ()

    def copy(self):
        new = object.__new__(type(self))
        new.__dict__ = {name: list(value) if isinstance(value, list) else value for name, value in self.__dict__.items()}
        return new

    def key(self):
        """Threads are functions of what they have read, so the graph is the whole state."""
        return (tuple(tuple(entry[3] for entry in log) for log in self.log),
                tuple(tuple(message.event for message in order) for order in self.orders))

    def pending(self, thread):
        return self.program.threads[thread].operation(self.threads[thread])

    def perform(self, thread, operation, source):
        """The thread's next event, reading from the message `source`. Returns what it writes, or None."""
        value = source.value if operation.reads else None
        written, order = operation.written(value), operation.order_after(value)
        clock, carried = self.clocks[thread].event(thread, operation, order, source and source.carried, written is not None)
        event = (thread, len(self.log[thread]))
        if order == "plain":
            if races(self.accesses, clock.now, thread, operation.cell, written is not None):
                raise Raced
            self.accesses += ((event, operation.cell, written is not None),)
        self.clocks[thread] = clock
        self.log[thread] += ((operation.kind, operation.cell, order, source.event if source else None,
                              written is not None, clock.now),)
        self.threads[thread] = self.program.threads[thread].after(self.threads[thread], value)
        if written is None:
            return None
        return Message(event, operation.cell, written, carried, operation.reads)

    def append(self, message):
        self.orders[message.cell] += (message,)

    def is_stuck(self):
        """Whether each thread has ended, or waits for something that the newest value does not satisfy."""
        for thread in range(len(self.threads)):
            operation = self.pending(thread)
            if operation and not (operation.waits and not operation.accepts(self.orders[operation.cell][-1].value)):
                return False
        return not any(self.buffers)

    def is_complete(self):
        return all(self.pending(thread) is None for thread in range(len(self.threads)))


def search(program, successors):
    """All states; `successors` gives the states after one more step."""
    result, start = Result(), State(program)
    seen, stack = {start.key()}, [start]
    try:
        while stack:
            state = stack.pop()
            if state.is_stuck():
                result.add(program, [order[-1].value for order in state.orders], not state.is_complete(), False)
            for after in successors(state):
                key = after.key()
                if key not in seen:
                    seen.add(key)
                    stack.append(after)
    except Raced:
        result.race = True
    return result
