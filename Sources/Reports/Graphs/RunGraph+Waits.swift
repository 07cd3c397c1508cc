import Diagnosis
import Trace

extension RunGraph {
    /// The wait-for graph at the end of the run: an arrow from each thread to what it waits for, and from each lock to
    /// the threads that hold it.
    mutating func addWaits(_ trace: TraceDocument, _ cast: Cast) {
        var run = RunState(followsOrder: false)
        for event in trace.events { run.consume(event) }
        let graph = run.graph
        let cycles = graph.cycles()
        let stuck = Set(cycles.flatMap(\.threads))
        var threads: Set<ThreadID> = []
        var objects: Set<ObjectID> = []
        for thread in graph.alive {
            threads.insert(thread)
            for hold in graph.locks(of: thread) {
                objects.insert(hold.object)
                let isMarked = cycles.contains {
                    $0.links.contains { $0.hold?.object == hold.object && $0.next == thread }
                }
                addEdge(
                    Self.id(hold.object), Self.id(thread), "held", Self.place(hold.site, trace, cast),
                    isMarked: isMarked)
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
        for object in objects.sorted() {
            let isMarked = edges.contains { $0.isMarked && $0.from == Self.id(object) }
            nodes.append(
                Node(id: Self.id(object), lines: [cast.object(object).text], shape: .object, isMarked: isMarked))
        }
        remark = graph.blocked.isEmpty ? "no thread waits at the end of the run" : cycles.isEmpty ? nil : "red: a cycle"
    }

    private mutating func addEdge(_ from: String, _ to: String, _ word: String, _ place: String, isMarked: Bool) {
        let line = place.isEmpty ? word : "\(word) \(place)"
        edges.append(Edge(from: from, to: to, lines: [line], isMarked: isMarked))
    }

    private static func target(_ wait: Wait) -> (object: ObjectID?, thread: ThreadID?, word: String) {
        switch wait.target {
        case .mutex(let lock): (lock, nil, "waits")
        case .reading(let lock): (lock, nil, "waits to read")
        case .writing(let lock): (lock, nil, "waits to write")
        case .semaphore(let semaphore): (semaphore, nil, "waits")
        case .condition(_, let mutex?) where wait.isSignalled: (mutex, nil, "was woken, waits")
        case .condition(let condition, _): (condition, nil, "waits for a signal")
        case .memory(let object): (object, nil, "awaits a change")
        case .spin(let object): (object, nil, "spins")
        case .thread(let thread): (nil, thread, "waits for its end")
        }
    }
}
