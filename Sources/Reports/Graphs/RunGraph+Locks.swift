import Diagnosis
import Trace

extension RunGraph {
    /// The lock-order graph: an arrow from each lock to those that were taken while it was held.
    mutating func addLocks(_ trace: TraceDocument, _ cast: Cast) {
        var detector = LockOrderDetector()
        detector.consume(all: trace.events)
        let cycles = detector.cycles
        var used: Set<ObjectID> = []
        for edge in detector.edges {
            used.formUnion([edge.from.object, edge.to.object])
            let places = [edge.from.site, edge.to.site].map { Self.place($0, trace, cast) }
            var line = cast.thread(edge.thread).text
            if places != ["", ""] { line += " \(places[0]) \u{2192} \(places[1])" }
            add(line, from: edge.from.object, to: edge.to.object, isMarked: cycles.contains { $0.contains(edge) })
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

    /// One arrow for two locks, with a line for each place.
    private mutating func add(_ line: String, from: ObjectID, to: ObjectID, isMarked: Bool) {
        let (from, to) = (Self.id(from), Self.id(to))
        if let known = edges.firstIndex(where: { $0.from == from && $0.to == to && $0.isMarked == isMarked }) {
            if !edges[known].lines.contains(line) { edges[known].lines.append(line) }
        } else {
            edges.append(Edge(from: from, to: to, lines: [line], isMarked: isMarked))
        }
    }
}

extension [LockOrderEdge] {
    fileprivate func contains(_ edge: LockOrderEdge) -> Bool {
        contains { $0.thread == edge.thread && $0.from == edge.from && $0.to == edge.to }
    }
}
