import Machine
import Trace

/// A graph that grows by random events, as threads and their scheduler might add them: what is read and where writes go is random
/// too, as far as coherence and the atomicity of updates leave a choice.
struct RandomGraph {
    let graph: ExecutionGraph
    private var random: SplitMix64
    private let threads: Int
    private let atomics: Int
    /// How many sequentially consistent fences are left to place.
    private var fences: Int
    private var isStarted: [Bool]
    private var isJoined: [Bool]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        threads = [2, 2, 2, 3, 3, 4].randomElement(using: &random)!
        atomics = [2, 2, 2, 3].randomElement(using: &random)!
        fences = Int.random(in: 4...6, using: &random)
        // Behind the atomics are the threads as objects.
        graph = ExecutionGraph(
            .rc11, threads: threads, words: Array(repeating: 0, count: atomics + threads),
            haveMessages: Array(repeating: true, count: atomics) + Array(repeating: false, count: threads))
        isStarted = (0..<threads).map { $0 == 0 }
        isJoined = Array(repeating: false, count: threads)
        _ = graph.append(.start, 0, 0, .relaxed)
        // Others are started on the way.
        for thread in 1..<threads where Bool.random(using: &random) { start(thread, by: nil) }
    }

    /// Adds the events of a step with which the graph is still an execution.
    ///
    /// - Parameter judge: whether it is one.
    mutating func grow(_ judge: (ExecutionGraph, EventName) -> Bool) {
        guard let thread = (0..<threads).filter({ isStarted[$0] && !isJoined[$0] }).randomElement(using: &random) else {
            return
        }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<26: fence(thread)
        case ..<58: load(thread, judge)
        case ..<83: store(thread, judge)
        case ..<88: update(thread, judge)
        case ..<93: if let other = (1..<threads).first(where: { !isStarted[$0] }) { return start(other, by: thread) }
        default: return join(thread)
        }
    }

    /// Takes the last events of a thread back if the graph is no execution with them.
    private func keep(_ thread: Int, from count: Int, _ judge: (ExecutionGraph, EventName) -> Bool) -> Bool {
        if judge(graph, EventName(thread, graph.counts[thread])) { return true }
        while graph.counts[thread] > count { graph.removeLast(of: thread) }
        return false
    }

    private mutating func order(_ others: [MemoryOrder]) -> MemoryOrder {
        Int.random(in: 0..<2, using: &random) == 0 ? .seqcst : others.randomElement(using: &random)!
    }

    private mutating func fence(_ thread: Int) {
        let isStrong = fences > 0 && Int.random(in: 0..<6, using: &random) > 0
        if isStrong { fences -= 1 }
        let order: MemoryOrder = isStrong ? .seqcst : [.acquire, .release, .acqRel].randomElement(using: &random)!
        graph.fence(graph.append(.fence, thread, 0, order))
    }

    private mutating func object() -> UInt32 { UInt32(Int.random(in: 1...atomics, using: &random)) }

    /// Most often in their order, the first before the others: what is old is what an order may forbid.
    private mutating func ordered(_ places: [Int]) -> [Int] {
        Int.random(in: 0..<5, using: &random) > 0 ? places : places.shuffled(using: &random)
    }

    private mutating func load(_ thread: Int, _ judge: (ExecutionGraph, EventName) -> Bool) {
        let (object, count) = (object(), graph.counts[thread])
        let order = order([.relaxed, .relaxed, .acquire])
        let places = Array(graph.lowestPlace(object, for: thread)..<graph.messageCount(of: object))
        for place in ordered(places) {
            let message = graph.message(object, at: place)
            graph.read(graph.append(.load, thread, object, order), from: message)
            if keep(thread, from: count, judge) { return }
        }
    }

    private mutating func store(_ thread: Int, _ judge: (ExecutionGraph, EventName) -> Bool) {
        let (object, count) = (object(), graph.counts[thread])
        let order = order([.relaxed, .relaxed, .release])
        let places = Array(graph.lowestPlace(object, for: thread) + 1...graph.messageCount(of: object))
        for place in ordered(places) where !graph.isUpdated(object, before: place) {
            let event = graph.append(.store, thread, object, order)
            graph.write(1, event, EventName(thread, graph.counts[thread]), at: place)
            if keep(thread, from: count, judge) { return }
        }
    }

    private mutating func update(_ thread: Int, _ judge: (ExecutionGraph, EventName) -> Bool) {
        let (object, count) = (object(), graph.counts[thread])
        let order = order([.relaxed, .acquire, .release, .acqRel])
        let places = Array(graph.lowestPlace(object, for: thread)..<graph.messageCount(of: object))
        for place in ordered(places) where !graph.isUpdated(object, before: place + 1) {
            let message = graph.message(object, at: place)
            graph.read(graph.append(.loadToUpdate, thread, object, order), from: message)
            let event = graph.append(.storeOfUpdate, thread, object, order)
            event.pointee.source = message
            graph.write(1, event, EventName(thread, graph.counts[thread]), at: place + 1)
            if keep(thread, from: count, judge) { return }
        }
    }

    private mutating func start(_ thread: Int, by other: Int?) {
        isStarted[thread] = true
        var spawn: EventName?
        if let other {
            graph.append(.spawn, other, UInt32(atomics + 1 + thread), .relaxed).pointee.value = thread
            spawn = EventName(other, graph.counts[other])
        }
        let event = graph.append(.start, thread, 0, .relaxed)
        if let spawn { graph.follow(event, graph.event(spawn)) }
    }

    private mutating func join(_ thread: Int) {
        let others = (1..<threads).filter { $0 != thread && isStarted[$0] && !isJoined[$0] }
        guard let target = others.randomElement(using: &random) else { return }
        isJoined[target] = true
        let event = graph.append(.join, thread, 0, .relaxed)
        event.pointee.value = target
        graph.follow(event, graph.lastEvent(of: target))
    }
}
