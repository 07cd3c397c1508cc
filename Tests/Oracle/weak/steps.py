"""RC11 as a machine: builds execution graphs event by event along sb ∪ rf.

A read takes any message that is not older, in modification order, than what its thread knows; a write goes to any place in
modification order behind what its thread knows; an update goes directly behind the message that it reads. What a thread
knows is a vector clock. That is coherence and atomicity. What clocks cannot say is the axiom about seq_cst events: it is
tested on the whole graph after each step. RC11 allows each beginning (along sb ∪ rf) of what it allows, so no graph is missed.

Published RC11: Lahav et al., PLDI 2017. A thread whose next event has no alternatives that depend on later events of other
threads (a write, a fence, a plain access) takes it first: no graph is lost, since some way along sb ∪ rf does so.
"""
from .clocks import knows


def successors(state):
    pending = [state.pending(thread) for thread in range(len(state.threads))]
    for thread, operation in enumerate(pending):
        if operation and (not operation.reads or operation.order == "plain"):
            yield from steps(state, thread, operation)
            return
    for thread, operation in enumerate(pending):
        if operation:
            yield from steps(state, thread, operation)


def steps(state, thread, operation):
    for source, place in choices(state, thread, operation):
        after = state.copy()
        message = after.perform(thread, operation, source)
        if message:
            order = after.orders[message.cell]
            after.orders[message.cell] = order[:place] + (message,) + order[place:]
        if has_order_of_seqcst(after):
            yield after


def choices(state, thread, operation):
    """(message to read, place to write at)"""
    if operation.cell is None:
        yield None, None
        return
    order = state.orders[operation.cell]
    low = oldest(state, thread, operation.cell)
    if not operation.reads:
        for place in range(low + 1, len(order) + 1):
            if place == len(order) or not order[place].isUpdate:
                yield None, place
        return
    if operation.order == "plain":
        yield order[low], None    # any other write would be a race
        return
    for place in range(low, len(order)):
        source = order[place]
        isTaken = place + 1 < len(order) and order[place + 1].isUpdate
        if operation.accepts(source.value) and not (isTaken and operation.written(source.value) is not None):
            yield source, place + 1


def positions(state):
    """The place in modification order of each write, and for each read that of the write that it reads."""
    place = {message.event: i for order in state.orders for i, message in enumerate(order)}
    result = dict(place)
    for thread, log in enumerate(state.log):
        for number, (_, _, _, source, writes, _) in enumerate(log):
            if source is not None and not writes:
                result[thread, number] = place[source]
    return result


def oldest(state, thread, cell):
    """The first place in modification order that the thread may still read: the newest that it knows of."""
    clock, place = state.clocks[thread].now, positions(state)
    return max([0] + [place[other, number] for other, log in enumerate(state.log)
                      for number, entry in enumerate(log) if entry[1] == cell and knows(clock, (other, number))])


def has_order_of_seqcst(state):
    """psc of the paper has no cycle."""
    log = {(thread, number): entry for thread, of in enumerate(state.log) for number, entry in enumerate(of)}
    seqcst = [e for e, entry in log.items() if entry[2] == "seqcst"]
    if len(seqcst) < 2:
        return True
    place = positions(state)

    def sb(a, b):
        return a[0] == b[0] and a[1] < b[1]

    def hb(a, b):
        return a != b and knows(log[b][5], a)

    def same(a, b):
        return log[a][1] is not None and log[a][1] == log[b][1]

    def coherence(a, b):
        """mo or rb"""
        return a != b and same(a, b) and log[b][4] and place[a] < place[b]

    def eco(a, b):
        """(rf ∪ mo ∪ rb)+, by places"""
        if a == b or not same(a, b):
            return False
        return place[a] < place[b] or place[a] == place[b] and log[a][4]

    def scb(a, b):
        if sb(a, b) or coherence(a, b) or same(a, b) and hb(a, b):
            return True
        return any(sb(a, c) and not same(a, c) and hb(c, d) and sb(d, b) and not same(d, b) for c in log for d in log)

    isFence = {e: log[e][0] == "fence" for e in seqcst}
    behind = {e: [e] + [o for o in log if isFence[e] and hb(e, o)] for e in seqcst}
    before = {e: [e] + [o for o in log if isFence[e] and hb(o, e)] for e in seqcst}

    def psc(e, f):
        if any(scb(a, b) for a in behind[e] for b in before[f]):
            return True
        return isFence[e] and isFence[f] and (hb(e, f) or any(eco(a, b) for a in behind[e][1:] for b in before[f][1:]))

    following = {e: [f for f in seqcst if psc(e, f)] for e in seqcst}
    return not has_cycle(following)


def has_cycle(following):
    color = {}

    def visit(e):
        color[e] = "open"
        for f in following[e]:
            if color.get(f) == "open" or f not in color and visit(f):
                return True
        color[e] = "done"
        return False
    return any(visit(e) for e in following if e not in color)
