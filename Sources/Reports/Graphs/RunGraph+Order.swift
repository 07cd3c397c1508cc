import Diagnosis
import Trace

extension RunGraph {
    /// The most steps before the accesses that a picture shows: the last ones.
    private static let mostSteps = 40

    /// What is ordered before the accesses of the first data race: the steps of all threads that order something, in
    /// the order of each thread, with arrows between threads. No path leads from one access to the other.
    ///
    /// - Returns: false if the run has no race.
    mutating func addOrder(_ trace: TraceDocument, _ cast: Cast) -> Bool {
        var detector = RaceDetector()
        detector.consume(all: trace.events)
        guard let race = detector.pairs.first else { return false }
        let causes = Self.causes(trace, upTo: race.later)
        let steps = Self.steps(race, causes)
        let shown = Set(steps)
        let words = StepWords(cast: cast)
        var last: [ThreadID: Int] = [:]
        for step in steps {
            let event = trace.events[step]
            let isRace = step == race.earlier || step == race.later
            let place = Self.place(event.site, trace, cast)
            let lines = [cast.thread(event.thread).text, words.label(event).text, place].filter { !$0.isEmpty }
            nodes.append(
                Node(id: "e\(step)", lines: lines, shape: .step, isMarked: isRace, group: Int(event.thread.index)))
            if let before = last[event.thread] { edges.append(Edge(from: "e\(before)", to: "e\(step)")) }
            last[event.thread] = step
        }
        for (from, to) in causes where shown.contains(from) && shown.contains(to) {
            edges.append(Edge(from: "e\(from)", to: "e\(to)", lines: ["before"], isDashed: true))
        }
        edges.append(
            Edge(
                from: "e\(race.earlier)", to: "e\(race.later)", lines: ["no order"], isMarked: true, isDashed: true,
                isUndirected: true))
        remark = "red: two accesses that nothing orders"
        return true
    }

    /// Pairs of events of different threads of which one orders the other. A signal does not.
    private static func causes(_ trace: TraceDocument, upTo end: Int) -> [(from: Int, to: Int)] {
        var finder = CauseFinder()
        var pairs: [(from: Int, to: Int)] = []
        for (index, event) in trace.events.prefix(end + 1).enumerated() {
            finder.consume(event)
            for cause in finder.causes where cause.kind != .signal { pairs.append((cause.event, index)) }
        }
        return pairs
    }

    private static func steps(_ race: (earlier: Int, later: Int), _ causes: [(from: Int, to: Int)]) -> [Int] {
        let accesses: Set = [race.earlier, race.later]
        let others = Set(causes.flatMap { [$0.from, $0.to] }).subtracting(accesses)
        return accesses.union(others.sorted().suffix(mostSteps)).sorted()
    }
}
