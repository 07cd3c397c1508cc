import Machine

/// What a run with an execution graph needs to repeat an execution with store buffers: the steps, the store that each
/// reads, and the place of each store in modification order.
///
/// The two machines have the same executions. But with a graph, a failing attempt of an `await` reads the newest
/// message, even one that is still buffered here. Such attempts change nothing, and are left out.
struct StorePlan {
    struct Step {
        let thread: Int
        var way = 0
        /// The store that the step reads; 0: the initial value. Nil: it reads no atomic.
        var source: Int?
        /// The store that the step makes, from 1. Nil: none.
        var store: Int?
        var isSpurious = false
    }

    enum Part {
        case step(Step)
        case time
    }

    private(set) var parts: [Part] = []
    /// By store: its place in modification order, from 1.
    private(set) var ranks: [Int] = [0]

    /// Follows the moves from the beginning.
    ///
    /// - Parameters:
    ///   - path: the moves.
    ///   - loop: moves that lead from the end of the path back to it. They are followed several times.
    init(_ path: [StateMove], loop: [StateMove], on subject: any StatefulSubject) {
        subject.beginStates()
        var builder = Builder(subject)
        for move in path { builder.add(move) }
        builder.keepsFailures = true
        if !loop.isEmpty { for _ in 0..<Self.rounds { for move in loop { builder.add(move) } } }
        parts = builder.inOrder.compactMap { builder.parts[$0] }
        ranks = builder.ranks
    }

    /// Values that no instruction reads any more may differ in the first round, and what threads have seen may differ
    /// in the second.
    private static let rounds = 4

    private struct Builder {
        let subject: any StatefulSubject
        let machine: MachineState
        /// Nil: a step of a failed attempt.
        var parts: [Part?] = []
        var keepsFailures = false
        /// The numbers of the parts in the order in which they are taken; `held`: by thread, those that wait until the
        /// thread's stores have reached memory. Empty if steps keep the order in which they were taken: see `Arrivals`.
        private var order: [Int] = []
        private var held: [[Int]]
        private let followsMemory: Bool
        private var storeCount = 0
        /// By thread: the stores in its buffer; `attempts`: the steps of its running attempt of an `await`.
        private var pending: [[(object: UInt32, store: Int)]]
        private var attempts: [[Int]]
        /// By object: the stores that have reached memory, in order.
        private var orders: [UInt32: [Int]] = [:]

        init(_ subject: any StatefulSubject) {
            self.subject = subject
            machine = subject.machine
            pending = Array(repeating: [], count: subject.mostThreads)
            attempts = Array(repeating: [], count: subject.mostThreads)
            held = Array(repeating: [], count: subject.mostThreads)
            followsMemory = subject.machine.isJudgedOnTheWay
        }

        mutating func add(_ move: StateMove) {
            if move == .passTime {
                subject.passTime()
                append(.time, nil)
            } else if let thread = move.flushed {
                flush(thread)
                subject.flush(thread)
            } else {
                step(move.thread, move.way)
            }
        }

        private mutating func flush(_ thread: Int) {
            let (object, store) = pending[thread].removeFirst()
            orders[object, default: []].append(store)
            release(thread)
        }

        /// The thread's oldest store has reached memory: adds its step to the order, with the steps that waited only
        /// for it.
        private mutating func release(_ thread: Int) {
            guard followsMemory else { return }
            let next = pending[thread].first?.store
            let end = held[thread].firstIndex { number in
                if case .step(let step)? = parts[number], let store = step.store { store == next } else { false }
            }
            let released = held[thread].prefix(next == nil ? held[thread].count : end ?? held[thread].count)
            order += released
            held[thread].removeFirst(released.count)
        }

        private mutating func append(_ part: Part, _ thread: Int?) {
            parts.append(part)
            guard followsMemory else { return }
            if let thread, !pending[thread].isEmpty {
                held[thread].append(parts.count - 1)
            } else {
                order.append(parts.count - 1)
            }
        }

        /// The parts in order. Those whose stores have not reached memory come last; among these, the parts of the
        /// thread with the latest step come first.
        var inOrder: [Int] {
            guard followsMemory else { return Array(parts.indices) }
            let rest = held.indices.sorted { (held[$0].last ?? -1) > (held[$1].last ?? -1) }
            return order + rest.flatMap { held[$0] }
        }

        private mutating func drain(_ thread: Int) {
            while !pending[thread].isEmpty {
                flush(thread)
                subject.drain(thread)
            }
        }

        private mutating func step(_ thread: Int, _ way: Int) {
            switch machine.drain(before: thread) {
            case .none: break
            case .own: drain(thread)
            case .ownAnd(let other):
                drain(thread)
                drain(other)
            case .everybodys: for thread in 0..<machine.threadCount { drain(thread) }
            }
            let operation = machine.operation(of: thread)
            var step = Step(thread: thread, way: way)
            if machine.hasWeakWays(thread) {
                let act = machine.ruling(on: thread, alternative: way).act
                if operation.kind != .store { step.source = source(operation.object, thread) }
                step.isSpurious = act == .failSpuriously
                if act == .store || act == .update {
                    storeCount += 1
                    step.store = storeCount
                    if act == .store && operation.orders.order != .seqcst {
                        pending[thread].append((operation.object, storeCount))
                    } else {
                        orders[operation.object, default: []].append(storeCount)
                    }
                }
            }
            subject.take(thread, way: way)
            append(.step(step), thread)
            noteAttempt(thread, operation)
        }

        private func source(_ object: UInt32, _ thread: Int) -> Int {
            pending[thread].last { $0.object == object }?.store ?? orders[object]?.last ?? 0
        }

        /// Leaves out the steps of an attempt if the last step has made it fail.
        private mutating func noteAttempt(_ thread: Int, _ operation: Operation) {
            guard operation.isWatching else {
                attempts[thread] = []
                return
            }
            if !operation.isFurtherLook { attempts[thread] = [] }
            attempts[thread].append(parts.count - 1)
            guard !keepsFailures, !machine.hasEnded(thread), machine.operation(of: thread).isRenewedLook else { return }
            for part in attempts[thread] { parts[part] = nil }
            attempts[thread] = []
        }

        /// By store: its place in modification order. Stores that have not reached memory come last.
        var ranks: [Int] {
            var ranks = [Int](repeating: 0, count: storeCount + 1)
            var orders = orders
            for (object, store) in pending.flatMap(\.self) { orders[object, default: []].append(store) }
            for order in orders.values { for (place, store) in order.enumerated() { ranks[store] = place + 1 } }
            return ranks
        }
    }
}

/// Follows a `StorePlan` on the machine with a graph.
final class StorePlanChooser: Chooser {
    private let steps: StorePlan
    private let isLoop: Bool
    private var position = 0
    /// The planned step that was chosen last. Nil: a step outside the plan was chosen.
    private var last: StorePlan.Step?
    /// Whether the last step has an alternative that has not been chosen yet.
    private var isOpen = false
    /// Whether a thread repeats a look instead of the planned step.
    private var isLook = false
    /// The names of stores in the graph, and the places of its messages in modification order.
    private var names: [EventName]
    private var ranks: [Int32: Int] = [:]

    init(_ steps: StorePlan, isLoop: Bool) {
        self.steps = steps
        self.isLoop = isLoop
        names = Array(repeating: .initial, count: steps.ranks.count)
    }

    func begin() { position = 0 }

    var cycleSearch: CycleSearch { isLoop ? .atPlansEnd : .sometimes }
    private var isOver: Bool { position == steps.parts.count }
    var plan: ChoosersPlan { isOver ? .over : .followed }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last thread: UInt16, state: MachineState) -> UInt16? {
        name(state)
        last = nil
        isLook = false
        // Time passes without a choice where no thread can step.
        while !isOver, case .time = steps.parts[position] { position += 1 }
        guard !isOver, case .step(let step) = steps.parts[position] else {
            isOpen = false
            return chooseByDefault(enabled, last: thread)
        }
        if enabled.contains(UInt16(step.thread)) {
            last = step
            isOpen = state.alternatives(of: step.thread) > 1
            position += 1
            return UInt16(step.thread)
        }
        isOpen = false
        // The planned thread may have to wait until another has looked and blocks: a failed attempt that was left out.
        isLook = true
        return enabled.first { state.operation(of: Int($0)).isWatching }
    }

    /// Notes the name that the last step's store has in the graph.
    private func name(_ state: MachineState) {
        guard let step = last, let store = step.store, let memory = state.weakMemory else { return }
        names[store] = EventName(step.thread, memory.graph.counts[step.thread])
        ranks[names[store].word] = steps.ranks[store]
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        guard isOpen, let step = last else { return chooseByDefault() }
        isOpen = false
        guard state.hasWeakWays(step.thread), let memory = state.weakMemory else { return step.way }
        let object = state.operation(of: step.thread).object
        return (0..<count).first { way in
            let place = memory.place(ofWay: way)
            if let source = step.source {
                return memory.graph.message(object, at: place) == names[source]
                    && memory.isSpurious(way: way) == step.isSpurious
            }
            return place == 0 || rank(memory.graph.message(object, at: place - 1)) < steps.ranks[step.store ?? 0]
        }
    }

    /// The alternative where only time and waits without a signal can come next, or where a thread looks again.
    private func chooseByDefault() -> Int {
        guard !isOver, !isLook else { return 0 }
        guard case .time = steps.parts[position] else { return 1 }
        position += 1
        return 0
    }

    private func rank(_ message: EventName) -> Int { message == .initial ? 0 : ranks[message.word] ?? .max }
}
