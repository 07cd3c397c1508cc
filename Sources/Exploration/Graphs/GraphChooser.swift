import Machine

/// Leads the machine through the steps of a `GraphPlan`. Threads that can still step after the plan only repeat rounds
/// of loops: they take turns, so that a fair scheduler could do the same forever.
final class GraphChooser: Chooser {
    private let graphPlan: GraphPlan
    private var position = 0
    /// The plan's step that is being taken. Nil: the plan has ended.
    private var step: GraphPlan.Step?
    private var turn = Turn()

    /// The steps of one thread after the plan: a round of its loop, until it comes back to its first operation.
    private struct Turn {
        var first: Operation?
        var steps = 0

        /// A turn also ends after this number of steps: a thread that leaves its loop may never come back.
        static let mostSteps = 64
    }

    init(_ plan: GraphPlan) { graphPlan = plan }

    func begin() {
        position = 0
        step = nil
        turn = Turn()
    }

    var cycleSearch: CycleSearch { .sometimes }
    /// `followed` even after the plan's end: otherwise the driver could stop the execution because it has been in the
    /// same state before, and the execution has to show how the graph ends.
    var plan: ChoosersPlan { .followed }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard position < graphPlan.steps.count else {
            step = nil
            return nextInTurn(enabled, last, state)
        }
        step = graphPlan.steps[position]
        let thread = UInt16(graphPlan.steps[position].thread)
        position += 1
        return enabled.contains(thread) ? thread : nil
    }

    /// The thread that steps after the plan's end: the one that has the turn, or the next if its turn is over.
    private func nextInTurn(
        _ enabled: UnsafeBufferPointer<UInt16>, _ last: UInt16, _ state: MachineState
    ) -> UInt16 {
        turn.steps += 1
        let operation = state.operation(of: Int(last))
        let isOver = turn.first == operation || turn.steps > Turn.mostSteps
        if enabled.contains(last) && !isOver {
            if turn.first == nil { turn.first = operation }
            return last
        }
        let next = enabled.first { $0 > last } ?? enabled[0]
        turn = Turn(first: state.operation(of: Int(next)), steps: 0)
        return next
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        guard let step, step.thread == Int(thread) else { return 0 }
        switch step.kind {
        case .choose: return step.number
        case .load, .loadToUpdate:
            return way(of: Int(thread), count, state) { memory, object, way in
                memory.graph.message(object, at: memory.place(ofWay: way)) == step.source
                    && memory.isSpurious(way: way) == step.isSpurious
            }
        case .store:
            // The last place in modification order before which all messages come earlier in the plan's order.
            return way(of: Int(thread), count, state) { memory, object, way in
                let place = memory.place(ofWay: way)
                return place == 0 || graphPlan.place(of: memory.graph.message(object, at: place - 1)) < step.number
            }
        case .start, .storeOfUpdate, .fence, .read, .write, .lock, .unlock, .sync, .spawn, .join, .other: return 0
        }
    }

    /// The first alternative that satisfies the predicate, which gets the object and the alternative's number. Nil:
    /// none does, so the machine cannot follow the plan.
    private func way(
        of thread: Int, _ count: Int, _ state: MachineState, _ isMeant: (WeakMemory, UInt32, Int) -> Bool
    ) -> Int? {
        guard let memory = state.weakMemory else { return nil }
        let object = state.operation(of: thread).object
        return (0..<count).first { isMeant(memory, object, $0) }
    }
}
