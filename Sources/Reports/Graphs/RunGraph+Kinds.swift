import Diagnosis
import Trace

extension RunGraph {
    /// Adds the lock-order graph: an arrow from each lock to the locks that were taken while it was held.
    mutating func addLocks(_ trace: TraceDocument, _ cast: Cast) {
        var detector = LockOrderDetector()
        detector.consume(all: trace.events)
        let cycles = detector.cycles
        var used: Set<ObjectID> = []
        var arrows: [Arrow: Int] = [:]
        for edge in detector.edges {
            used.formUnion([edge.from.object, edge.to.object])
            let places = [edge.from.site, edge.to.site].map { Self.place($0, trace, cast) }
            var line = cast.thread(edge.thread).text
            if places != ["", ""] { line += " \(places[0]) \u{2192} \(places[1])" }
            let arrow = Arrow(
                from: edge.from.object, to: edge.to.object, isMarked: cycles.contains { $0.contains(edge) })
            add(line, to: arrow, &arrows)
        }
        for object in used.sorted() {
            let isMarked = cycles.contains { $0.contains { $0.from.object == object } }
            nodes.append(
                Node(id: Self.id(object), lines: [cast.object(object).text], shape: .object, isMarked: isMarked))
        }
        if used.isEmpty {
            remark = "no thread got a lock while it held another"
        } else if !cycles.isEmpty {
            remark = "red: the threads of a cycle may wait for each other forever"
        }
    }

    static func id(_ object: ObjectID) -> String { "o\(object.index)" }
    static func id(_ thread: ThreadID) -> String { "t\(thread.index)" }

    private struct Arrow: Hashable {
        let from, to: ObjectID
        let isMarked: Bool
    }

    /// Adds a line to the text of the arrow between two locks, which has one line for each thread and place. The arrow
    /// is added if it is new.
    ///
    /// - Parameter known: the index of each arrow's edge.
    private mutating func add(_ line: String, to arrow: Arrow, _ known: inout [Arrow: Int]) {
        if let index = known[arrow] {
            if !edges[index].lines.contains(line) { edges[index].lines.append(line) }
        } else {
            known[arrow] = edges.count
            edges.append(
                Edge(from: Self.id(arrow.from), to: Self.id(arrow.to), lines: [line], isMarked: arrow.isMarked))
        }
    }
}

extension [LockOrderEdge] {
    fileprivate func contains(_ edge: LockOrderEdge) -> Bool {
        contains { $0.thread == edge.thread && $0.from == edge.from && $0.to == edge.to }
    }
}

extension RunGraph {
    /// Adds the wait-for graph at the end of the run: an arrow from each thread to what it waits for, and from each
    /// lock to the threads that hold it.
    mutating func addWaits(_ trace: TraceDocument, _ cast: Cast) {
        var run = RunState(followsOrder: false)
        for event in trace.events { run.consume(event) }
        let graph = run.graph
        let cycles = graph.cycles()
        let stuck = Set(cycles.flatMap(\.threads))
        let awaited = Set(
            cycles.flatMap(\.links).compactMap { link in
                link.hold.map { Holding(thread: link.next, object: $0.object) }
            })
        var threads: Set<ThreadID> = []
        var objects: Set<ObjectID> = []
        for thread in graph.alive {
            threads.insert(thread)
            for hold in graph.locks(of: thread) {
                objects.insert(hold.object)
                addEdge(
                    Self.id(hold.object), Self.id(thread), "held", Self.place(hold.site, trace, cast),
                    isMarked: awaited.contains(Holding(thread: thread, object: hold.object)))
            }
            guard let wait = graph.wait(of: thread) else { continue }
            let place = Self.place(wait.site, trace, cast)
            let (object, other, word) = Self.target(wait)
            if let object {
                objects.insert(object)
                addEdge(Self.id(thread), Self.id(object), word, place, isMarked: stuck.contains(thread))
            }
            if let other {
                threads.insert(other)
                addEdge(Self.id(thread), Self.id(other), word, place, isMarked: stuck.contains(thread))
            }
        }
        for thread in threads.sorted() {
            nodes.append(
                Node(
                    id: Self.id(thread), lines: [cast.thread(thread).text], shape: .thread,
                    isMarked: stuck.contains(thread)))
        }
        let marked = Set(edges.filter(\.isMarked).map(\.from))
        for object in objects.sorted() {
            nodes.append(
                Node(
                    id: Self.id(object), lines: [cast.object(object).text], shape: .object,
                    isMarked: marked.contains(Self.id(object))))
        }
        lack =
            graph.blocked.isEmpty
            ? "no thread waits at the end of \(trace.omitted == 0 ? "the run" : "this part")" : nil
        remark = lack ?? (cycles.isEmpty ? nil : "red: a cycle")
    }

    /// A lock, and a thread that holds it.
    private struct Holding: Hashable {
        let thread: ThreadID
        let object: ObjectID
    }

    private mutating func addEdge(_ from: String, _ to: String, _ word: String, _ place: String, isMarked: Bool) {
        let line = place.isEmpty ? word : "\(word) \(place)"
        edges.append(Edge(from: from, to: to, lines: [line], isMarked: isMarked))
    }

    /// What the thread waits for, which is an object or a thread, and a word for the arrow to it.
    private static func target(_ wait: Wait) -> (object: ObjectID?, thread: ThreadID?, word: String) {
        switch wait.target {
        case .mutex(let lock): (lock, nil, "waits")
        case .reading(let lock): (lock, nil, "waits to read")
        case .writing(let lock): (lock, nil, "waits to write")
        case .semaphore(let semaphore): (semaphore, nil, "waits")
        case .condition(_, let mutex?) where wait.isSignaled: (mutex, nil, "was woken, waits")
        case .condition(let condition, _): (condition, nil, "waits for a signal")
        case .memory(let object): (object, nil, "awaits a change")
        case .spin(let object): (object, nil, "spins")
        case .thread(let thread): (nil, thread, "waits for its end")
        }
    }
}

extension RunGraph {
    /// The maximum number of steps that are shown besides the two accesses: the last ones before them.
    private static let mostSteps = 40

    /// Adds the two accesses of the first data race, and the synchronizing steps before them: those of each thread in
    /// their order, with arrows between threads. As the graph shows, no path leads from one access to the other.
    ///
    /// - Returns: false if the run has no race.
    mutating func addOrder(_ trace: TraceDocument, _ cast: Cast) -> Bool {
        var detector = RaceDetector()
        detector.consume(all: trace.events)
        guard let race = detector.pairs.first else { return false }
        let (orders, sights) = Self.causes(trace, upTo: race.later)
        let steps = Self.steps(race, orders + sights)
        let shown = Set(steps)
        let words = StepWords(cast: cast)
        var last: [ThreadID: Int] = [:]
        for step in steps {
            let event = trace.events[step]
            let isRace = step == race.earlier || step == race.later
            let place = Self.place(event.site, trace, cast)
            let lines = [cast.thread(event.thread).text, words.label(event, at: step).text, place].filter {
                !$0.isEmpty
            }
            nodes.append(
                Node(id: "e\(step)", lines: lines, shape: .step, isMarked: isRace, group: Int(event.thread.index)))
            if let before = last[event.thread] { edges.append(Edge(from: "e\(before)", to: "e\(step)")) }
            last[event.thread] = step
        }
        for (from, to) in orders where shown.contains(from) && shown.contains(to) {
            edges.append(Edge(from: "e\(from)", to: "e\(to)", lines: ["before"], isDashed: true))
        }
        for (from, to) in sights where shown.contains(from) && shown.contains(to) {
            edges.append(Edge(from: "e\(from)", to: "e\(to)", lines: ["read, without order"], isDotted: true))
        }
        edges.append(
            Edge(
                from: "e\(race.earlier)", to: "e\(race.later)", lines: ["no order"], isMarked: true, isDashed: true,
                isUndirected: true))
        remark = "red: two accesses that nothing orders"
        return true
    }

    /// Pairs of events of different threads, by their numbers.
    private typealias Pairs = [(from: Int, to: Int)]

    /// - Returns: `orders`, the pairs in which the first event happens before the second because of synchronization;
    ///   and `sights`, the pairs in which the second event reads what the first wrote, but is not ordered after it,
    ///   because their memory orders are too weak. Signals are left out, because they order nothing.
    private static func causes(_ trace: TraceDocument, upTo end: Int) -> (orders: Pairs, sights: Pairs) {
        var finder = CauseFinder()
        var clocks = EventClocks()
        var times: [UInt32] = []
        var (orders, sights): (Pairs, Pairs) = ([], [])
        for (index, event) in trace.events.prefix(end + 1).enumerated() {
            finder.consume(event)
            clocks.consume(event, counts: true)
            let seen = clocks.clock(of: event.thread)
            times.append(seen.first { $0.thread == event.thread }?.time ?? 0)
            for cause in finder.causes where cause.kind != .signal {
                let isOrdered = seen.contains { $0.thread == cause.thread && $0.time >= times[cause.event] }
                if isOrdered { orders.append((cause.event, index)) } else { sights.append((cause.event, index)) }
            }
        }
        return (orders, sights)
    }

    /// The numbers of the events to show: the two accesses, and the last events of the pairs.
    private static func steps(_ race: (earlier: Int, later: Int), _ causes: Pairs) -> [Int] {
        let accesses: Set = [race.earlier, race.later]
        let others = Set(causes.flatMap { [$0.from, $0.to] }).subtracting(accesses)
        return accesses.union(others.sorted().suffix(mostSteps)).sorted()
    }
}
