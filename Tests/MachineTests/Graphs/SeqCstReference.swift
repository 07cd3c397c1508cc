import Machine
import Trace

/// The condition for sequentially consistent events, computed from the definitions of Lahav, Vafeiadis, Kang, Hur and Dreyer
/// ("Repairing sequential consistency in C/C++11", PLDI 2017, section 3), with the release sequences of C++20. It takes from a graph
/// only its events, what reads read, and modification orders: no clock.
struct SeqCstReference {
    private struct Node {
        var thread: Int
        /// From 1 on. Behind the last event: the end of the thread.
        var index: Int
        var event: GraphEvent?
    }

    private let nodes: [Node]
    /// By thread: the number of its first event.
    private let firsts: [Int]
    private var programOrder: Relation
    private var readsFrom: Relation
    private var modificationOrder: Relation
    private var readsBefore: Relation
    /// From the start of a thread by another one, and from its end to a join.
    private var threadOrder: Relation
    /// From the read of an update to its write.
    private var updates: Relation

    init(_ graph: ExecutionGraph) {
        var nodes: [Node] = []
        var firsts: [Int] = []
        for thread in 0..<graph.threadCount {
            firsts.append(nodes.count)
            for index in 0..<graph.counts[thread] {
                nodes.append(Node(thread: thread, index: index + 1, event: graph.event(thread, index + 1).pointee))
            }
            nodes.append(Node(thread: thread, index: graph.counts[thread] + 1, event: nil))
        }
        (self.nodes, self.firsts) = (nodes, firsts)
        let empty = Relation(count: nodes.count)
        (programOrder, readsFrom, modificationOrder) = (empty, empty, empty)
        (readsBefore, threadOrder, updates) = (empty, empty, empty)
        addProgramOrder()
        addMessages()
        addThreadOrder()
    }

    /// Whether psc has no cycle.
    var isConsistent: Bool { !order.hasCycle }

    // MARK: - What the graph says

    private func number(_ name: EventName) -> Int { firsts[name.thread] + name.index - 1 }

    private mutating func addProgramOrder() {
        for (a, first) in nodes.enumerated() {
            var b = a + 1
            while b < nodes.count && nodes[b].thread == first.thread {
                programOrder.insert(a, b)
                b += 1
            }
            if a + 1 < b, nodes[a + 1].event?.kind == .storeOfUpdate { updates.insert(a, a + 1) }
        }
    }

    private mutating func addMessages() {
        let accesses = nodes.indices.filter { nodes[$0].event?.isOnAtomic ?? false }
        for a in accesses {
            let event = nodes[a].event!
            if event.kind.reads && event.source != .initial { readsFrom.insert(number(event.source), a) }
            let place = event.source == .initial || event.source == .none ? 0 : nodes[number(event.source)].event!.place
            for b in accesses {
                let other = nodes[b].event!
                guard other.kind.writes, other.object == event.object else { continue }
                if event.kind.writes && event.place < other.place { modificationOrder.insert(a, b) }
                if event.kind.reads && place < other.place { readsBefore.insert(a, b) }
            }
        }
    }

    private mutating func addThreadOrder() {
        for (a, node) in nodes.enumerated() {
            guard let event = node.event else { continue }
            if event.kind == .spawn, let first = nodes.firstIndex(where: { $0.thread == event.value && $0.index == 1 })
            {
                threadOrder.insert(a, first)
            }
            if event.kind == .join {
                threadOrder.insert(nodes.firstIndex { $0.thread == event.value && $0.event == nil }!, a)
            }
        }
    }

    // MARK: - Definitions

    private func all(_ isSuch: (GraphEvent) -> Bool) -> Relation {
        Relation(identityOf: nodes.map { $0.event.map(isSuch) ?? false })
    }

    private func areOnOneObject(_ a: Int, _ b: Int) -> Bool {
        guard let first = nodes[a].event, let second = nodes[b].event else { return false }
        return first.isOnAtomic && second.isOnAtomic && first.object == second.object
    }

    /// sw
    private var synchronizesWith: Relation {
        let fences = all { $0.kind == .fence }
        let writes = all { $0.kind.writes }
        let releaseSequence = writes * (readsFrom * updates).closed.orNothing
        let release = all { $0.order.releases && ($0.kind == .fence || $0.kind.writes) }
        let acquire = all { $0.order.acquires && ($0.kind == .fence || $0.kind.reads) }
        return release * (fences * programOrder).orNothing * releaseSequence * readsFrom
            * (programOrder * fences).orNothing * acquire
    }

    /// hb
    private var happensBefore: Relation { (programOrder | synchronizesWith | threadOrder).closed }

    /// psc
    private var order: Relation {
        let before = happensBefore
        let others = programOrder.filtered { !areOnOneObject($0, $1) }
        let accesses = all { $0.order == .seqcst }
        let fences = all { $0.order == .seqcst && $0.kind == .fence }
        // scb
        let ordered =
            programOrder | others * before * others | before.filtered(areOnOneObject) | modificationOrder | readsBefore
        let base =
            (accesses | fences * before.orNothing) * ordered * (accesses | before.orNothing * fences)
        // eco
        let coherence = (readsFrom | modificationOrder | readsBefore).closed
        return base | fences * (before | before * coherence * before) * fences
    }
}

extension GraphEvent {
    fileprivate var isOnAtomic: Bool { kind.reads || kind.writes }
}
