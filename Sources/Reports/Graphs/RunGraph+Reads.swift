import Diagnosis
import Trace

extension RunGraph {
    /// The maximum number of operations that are shown: the last ones of the run.
    private static let mostOperations = 60

    /// Adds the execution graph of a run: the operations on atomics and the fences in the order of each thread, with an
    /// arrow from each write to its reads, and to the next write in modification order. Under sequential consistency
    /// each read reads the newest write.
    mutating func addReads(_ trace: TraceDocument, _ cast: Cast) {
        var steps = ReadSteps(trace)
        steps.keepLast(Self.mostOperations)
        let words = StepWords(cast: cast)
        var last: [ThreadID: Int] = [:]
        for number in steps.numbers {
            let event = trace.events[number]
            let lines = [cast.thread(event.thread).text, words.brief(event), Self.place(event.site, trace, cast)]
            nodes.append(
                Node(
                    id: "e\(number)", lines: lines.filter { !$0.isEmpty }, shape: .step,
                    group: Int(event.thread.index)))
            if let before = last[event.thread] { edges.append(Edge(from: "e\(before)", to: "e\(number)")) }
            last[event.thread] = number
        }
        addValues(steps, trace, cast)
        for (older, newer) in steps.modificationOrder {
            edges.append(
                Edge(
                    from: older.map { "e\($0)" } ?? Self.id(trace.events[newer].object), to: "e\(newer)",
                    lines: ["then"], isDotted: true))
        }
        let isEmpty = steps.numbers.isEmpty
        remark =
            isEmpty
            ? "the run has no operations on atomics"
            : "reads: from a write to a read of it, dashed if it is not the newest; then: modification order"
        if steps.hasMore { remark? += "; the last \(Self.mostOperations) operations" }
    }

    /// Adds the arrows to reads, and the initial values from which they come.
    private mutating func addValues(_ steps: ReadSteps, _ trace: TraceDocument, _ cast: Cast) {
        for object in steps.initialObjects {
            nodes.append(
                Node(id: Self.id(object), lines: [cast.object(object).text, "initial value"], shape: .object))
        }
        for read in steps.reads {
            edges.append(
                Edge(
                    from: read.source.map { "e\($0)" } ?? Self.id(trace.events[read.number].object),
                    to: "e\(read.number)", lines: ["reads"], isDashed: read.isOlder))
        }
    }
}

/// The operations on atomics of a run: which write each of them reads, and the modification orders of the writes.
/// Events are identified by their numbers.
private struct ReadSteps {
    struct Read {
        var number: Int
        /// The write that is read. Nil: the initial value.
        var source: Int?
        /// Whether that write was not the newest.
        var isOlder: Bool
    }

    /// The operations on atomics, and the fences.
    private(set) var numbers: [Int] = []
    private(set) var reads: [Read] = []
    /// Neighboring writes in modification order. Nil is the initial value.
    private(set) var modificationOrder: [(older: Int?, newer: Int)] = []
    /// Whether earlier operations have been left out.
    private(set) var hasMore = false
    private let trace: TraceDocument

    init(_ trace: TraceDocument) {
        self.trace = trace
        var order = WeakSteps(isStrong: trace.header.memoryModel == nil)
        var objects: Set<ObjectID> = []
        for (number, event) in trace.events.enumerated() {
            order.consume(event)
            if event.kind.effect == .fence { numbers.append(number) }
            guard let step = order.step else { continue }
            numbers.append(number)
            objects.insert(event.object)
            if event.kind != .atomicStore {
                reads.append(Read(number: number, source: step.source, isOlder: step.isOutOfOrder))
            }
        }
        for object in objects.sorted() {
            let writes = order.writes(of: object)
            for (older, newer) in zip([nil] + writes.map(Optional.some), writes) {
                modificationOrder.append((older, newer))
            }
        }
    }

    mutating func keepLast(_ count: Int) {
        guard numbers.count > count else { return }
        hasMore = true
        numbers.removeFirst(numbers.count - count)
        let shown = Set(numbers)
        reads.removeAll { !shown.contains($0.number) || $0.source.map { !shown.contains($0) } ?? false }
        modificationOrder.removeAll { !shown.contains($0.newer) || $0.older.map { !shown.contains($0) } ?? false }
    }

    /// The objects whose initial values are read, or replaced.
    var initialObjects: [ObjectID] {
        let read = reads.filter { $0.source == nil }.map { trace.events[$0.number].object }
        let replaced = modificationOrder.filter { $0.older == nil }.map { trace.events[$0.newer].object }
        return Set(read + replaced).sorted()
    }
}
