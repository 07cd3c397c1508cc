"""Which execution graphs the models allow, as axioms on relations.

RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11, PLDI 2017, with the release
sequences of C++20 (updates only). An update is one event, which reads and writes. TSO: Owens, Sarkar, Sewell: A better
x86 memory model: x86-TSO, TPHOLs 2009, in the axiomatic form of herd7's x86tso.cat; a seq_cst store is followed by a full
fence, updates and failed compare-exchanges are locked, other orders and fences compile to nothing. SC: Shasha and Snir.
"""
from . import relations as r
from .program import ACQUIRES, RELEASES


class Graph:
    """Events with program order `sb` (transitive), `rf`, `mo` (transitive), `rb`. Event i < cells is the initial write of
    cell i; it precedes every event of a thread."""

    def __init__(self, events, sb, rf, mo, rb):
        self.events, self.n, self.sb, self.rf, self.mo, self.rb = events, len(events), sb, rf, mo, rb

    def those(self, test):
        return sum(1 << i for i, event in enumerate(self.events) if test(event))

    def happens_before(self):
        """hb of C++20, from the orders that the program has, whichever model made the graph."""
        events, n = self.events, self.n
        fences = self.those(lambda e: e.kind == "fence")
        writes = self.those(lambda e: e.writes and e.order != "plain")
        reads = self.those(lambda e: e.reads and e.order != "plain")
        releases = self.those(lambda e: e.order in RELEASES and (e.writes or e.kind == "fence"))
        acquires = self.those(lambda e: e.order in ACQUIRES and (e.reads or e.kind == "fence"))
        updates = writes & reads
        # rs = [W];(rf;rmw)*    sw = [release];([F];sb)?;rs;rf;[R];(sb;[F])?;[acquire]
        chain = r.restrict(self.rf, writes, updates)
        sequence = r.compose(r.identity(writes, n), r.optional(r.closure(chain)))
        before = r.union(r.identity(releases, n), r.restrict(self.sb, releases & fences, writes))
        behind = r.union(r.identity(acquires, n), r.restrict(self.sb, reads, acquires & fences))
        received = r.restrict(self.rf, writes, reads)
        sw = r.compose(r.compose(r.compose(before, sequence), received), behind)
        return r.closure(r.union(self.sb, sw))

    def has_race(self, hb):
        for a, first in enumerate(self.events):
            for b in range(a + 1, self.n):
                second = self.events[b]
                if (first.order == second.order == "plain" and first.cell == second.cell
                        and (first.writes or second.writes) and first.thread != second.thread
                        and first.thread is not None and not hb[a] >> b & 1 and not hb[b] >> a & 1):
                    return True
        return False

    def at_same_cell(self):
        cells = {}
        for i, event in enumerate(self.events):
            if event.cell is not None:
                cells[event.cell] = cells.get(event.cell, 0) | 1 << i
        return [cells.get(event.cell, 0) for event in self.events]


def is_sc(graph):
    return r.is_acyclic(r.union(graph.sb, graph.rf, graph.mo, graph.rb))


def is_tso(graph):
    events = graph.events
    same = graph.at_same_cell()
    if not r.is_acyclic(r.union([a & b for a, b in zip(graph.sb, same)], graph.rf, graph.mo, graph.rb)):
        return False
    accesses = graph.those(lambda e: e.cell is not None)
    writes, reads = graph.those(lambda e: e.writes), graph.those(lambda e: e.reads)
    locked = graph.those(lambda e: e.kind in ("update", "lock", "unlock"))
    stores = graph.those(lambda e: e.kind == "store" and e.order == "seqcst")    # a full fence follows each
    fences = graph.those(lambda e: e.kind == "fence" and e.order == "seqcst")
    kept = [row & ~(reads & ~writes) if writes >> a & 1 and not reads >> a & 1 else row
            for a, row in enumerate(r.restrict(graph.sb, accesses, accesses))]    # all but a write before a read
    fenced = r.compose(r.restrict(graph.sb, accesses, fences), r.restrict(graph.sb, fences, accesses))
    implied = r.union(r.restrict(graph.sb, accesses, locked), r.restrict(graph.sb, locked | stores, accesses))
    threads = [event.thread for event in events]
    external = [sum(1 << b for b in range(graph.n) if row >> b & 1 and threads[a] != threads[b])
                for a, row in enumerate(graph.rf)]
    return r.is_acyclic(r.union(kept, fenced, implied, external, graph.mo, graph.rb))


def is_rc11(graph, hb):
    sb, rf, mo, rb, n = graph.sb, graph.rf, graph.mo, graph.rb, graph.n
    if not r.is_acyclic(r.union(sb, rf)):
        return False
    eco = r.closure(r.union(rf, mo, rb))
    if not r.is_irreflexive(hb) or not r.is_irreflexive(r.compose(hb, eco)):
        return False
    sc = graph.those(lambda e: e.order == "seqcst")
    if sc & (sc - 1) == 0:    # the axiom needs at least two events
        return True
    fences = sc & graph.those(lambda e: e.kind == "fence")
    same = graph.at_same_cell()
    elsewhere = [row & ~at for row, at in zip(sb, same)]
    scb = r.union(sb, r.compose(r.compose(elsewhere, hb), elsewhere), [row & at for row, at in zip(hb, same)], mo, rb)
    left = r.union(r.identity(sc, n), r.compose(r.identity(fences, n), r.optional(hb)))
    right = r.union(r.identity(sc, n), r.compose(r.optional(hb), r.identity(fences, n)))
    base = r.compose(r.compose(left, scb), right)
    between = r.union(hb, r.compose(r.compose(hb, eco), hb))
    return r.is_acyclic(r.union(base, r.restrict(between, fences, fences)))
