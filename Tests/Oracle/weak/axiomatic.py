"""Oracle (a): guesses whole executions and keeps those that the axioms allow.

1. Each thread runs alone; every read returns any value that some write could give it. That makes its traces.
2. One trace of each thread, and for each cell an order of the writes (mo) and a write for each read (rf) with the value that
   was guessed.
3. The axioms of each model decide about the graph.

A trace may end at a lock or an await that waits forever. That is possible if the newest write of the cell, the last in mo,
is not acceptable: a thread that reads again and again sees the newest value in the end.
"""
import itertools

from . import relations as r
from .axioms import Graph, is_rc11, is_sc, is_tso
from .program import Unsupported
from .results import MODELS, Result

TRACE_LIMIT = 40


class Event:
    def __init__(self, thread, kind, cell, order, read, written):
        self.thread, self.kind, self.cell, self.order, self.read, self.written = thread, kind, cell, order, read, written

    @property
    def reads(self):
        return self.read is not None

    @property
    def writes(self):
        return self.written is not None


class Trace:
    """The events of one thread; `blocked` is the operation that waits forever, or None."""

    def __init__(self, events, blocked):
        self.events, self.blocked = events, blocked
        self.needs = {(e.cell, e.read) for e in events if e.reads}
        self.gives = {(e.cell, e.written) for e in events if e.writes}


def traces(thread, number, values):
    found, stack = [], [(thread.start(), ())]
    while stack:
        state, events = stack.pop()
        if len(events) > TRACE_LIMIT:
            raise Unsupported(f"thread {thread.name}: more than {TRACE_LIMIT} operations")
        operation = thread.operation(state)
        if operation is None:
            found.append(Trace(events, None))
            continue
        if operation.waits:
            found.append(Trace(events, operation))
        for value in values[operation.cell] if operation.reads else [None]:
            if operation.accepts(value):
                event = Event(number, operation.kind, operation.cell, operation.order_after(value), value,
                              operation.written(value))
                stack.append((thread.after(state, value), events + (event,)))
    return found


def all_traces(program):
    """The traces of each thread. A value is written because of at most as many earlier writes as an execution has, since
    sb ∪ rf has no cycle; so that many rounds find every value."""
    values = [[value] for _, _, value in program.cells]
    rounds = 0
    while True:
        found = [traces(thread, i, values) for i, thread in enumerate(program.threads)]
        writes = sum(max(sum(e.writes for e in trace.events) for trace in of) for of in found)
        grown = [list(dict.fromkeys(old + [value for of in found for trace in of for cell, value in trace.gives if cell == i]))
                 for i, old in enumerate(values)]
        if grown == values or rounds > writes:
            return prune(program, found)
        values, rounds = grown, rounds + 1


def prune(program, found):
    """Drops traces that read what no trace of another thread, nor they themselves, can write."""
    initial = {(i, value) for i, (_, _, value) in enumerate(program.cells)}
    while True:
        gives = [set().union(*(trace.gives for trace in of)) for of in found]
        kept = [[trace for trace in of if trace.needs <= initial.union(trace.gives, *(g for j, g in enumerate(gives) if j != i))]
                for i, of in enumerate(found)]
        if kept == found:
            return found
        found = kept


def combinations(program, found):
    """One trace of each thread, such that every value that is read is written."""
    initial = {(i, value) for i, (_, _, value) in enumerate(program.cells)}
    pairs = {pair: 1 << i for i, pair in enumerate(initial.union(*(t.needs | t.gives for of in found for t in of)))}
    mask = lambda those: sum(pairs[pair] for pair in those)
    coded = [[(mask(trace.needs), mask(trace.gives), trace) for trace in of] for of in found]
    later = [0] * (len(found) + 1)    # what the threads from here on can give
    for i in range(len(found) - 1, -1, -1):
        later[i] = later[i + 1]
        for _, gives, _ in coded[i]:
            later[i] |= gives

    def extend(i, needs, gives, chosen):
        if needs & ~(gives | later[i]):
            return
        if i == len(found):
            yield chosen
            return
        for more, given, trace in coded[i]:
            yield from extend(i + 1, needs | more, gives | given, chosen + [trace])
    return extend(0, 0, mask(initial), [])


def interleavings(lists):
    if not any(lists):
        yield []
        return
    for i, one in enumerate(lists):
        if one:
            for rest in interleavings(lists[:i] + [one[1:]] + lists[i + 1:]):
                yield [one[0]] + rest


def ways(first, threads, events):
    """For one cell: each (mo as a list, rf as pairs) in which no thread goes backwards in mo, and each update comes
    directly behind the write that it reads. `threads`: the events of each thread at this cell."""
    for order in interleavings([[e for e in of if events[e].writes] for of in threads]):
        mo = [first] + order
        place = {e: i for i, e in enumerate(mo)}
        if any(events[e].reads and events[mo[place[e] - 1]].written != events[e].read for e in order):
            continue
        updates = [(mo[place[e] - 1], e) for e in order if events[e].reads]
        options = []
        for of in threads:
            options.append(list(rows(of, 0, mo, place, events)))
        for choice in itertools.product(*options):
            yield mo, updates + [pair for part in choice for pair in part]


def rows(of, low, mo, place, events):
    """The ways in which the pure reads of one thread can read, as lists of pairs."""
    if not of:
        yield []
        return
    e = of[0]
    if events[e].writes:
        if place[e] > low:
            yield from rows(of[1:], place[e], mo, place, events)
        return
    for i in range(low, len(mo)):
        if events[mo[i]].written == events[e].read:
            for rest in rows(of[1:], i, mo, place, events):
                yield [(mo[i], e)] + rest


def graphs(program, chosen):
    """Each graph of these traces that is coherent forevery cell by itself, with its last writes."""
    cells = len(program.cells)
    events = [Event(None, "store", i, "plain", None, value) for i, (_, _, value) in enumerate(program.cells)]
    threads, at = [], [[] for _ in range(cells)]
    for trace in chosen:
        first = len(events)
        events += trace.events
        threads.append(range(first, len(events)))
        for i in range(cells):
            at[i].append([e for e in threads[-1] if events[e].cell == i])
    n = len(events)
    sb = [(1 << n) - (1 << cells)] * cells + [0] * (n - cells)
    for of in threads:
        for e in of:
            sb[e] = (1 << of[-1] + 1) - (1 << e + 1)
    options = []
    for i in range(cells):
        options.append(list(ways(i, at[i], events)))
        if not options[-1]:
            return
    for choice in itertools.product(*options):
        rf, mo, rb = r.empty(n), r.empty(n), r.empty(n)
        for order, pairs in choice:
            after = 0
            for e in reversed(order):
                mo[e] = after
                after |= 1 << e
            for write, read in pairs:
                rf[write] |= 1 << read
                rb[read] = mo[write] & ~(1 << read)
        yield Graph(events, sb, rf, mo, rb), [order[-1] for order, _ in choice]


def run(program, models=MODELS):
    """The result under each model."""
    results = {model: Result() for model in models}
    for chosen in combinations(program, all_traces(program)):
        blocked = [trace.blocked for trace in chosen if trace.blocked]
        for graph, last in graphs(program, chosen):
            finals = [graph.events[e].written for e in last]
            if any(operation.accepts(finals[operation.cell]) for operation in blocked):
                continue
            hb = graph.happens_before()
            allowed = {"sc": lambda: is_sc(graph), "tso": lambda: is_tso(graph), "rc11": lambda: is_rc11(graph, hb)}
            for model in models:
                if allowed[model]():
                    results[model].add(program, finals, bool(blocked), graph.has_race(hb))
    return results
