import Machine

/// Records what the present execution's steps touch, and returns a form of its trace that is the same for all
/// executions of the same Mazurkiewicz trace: the steps, and the order of dependent ones.
final class TraceRecord: Observer {
    private struct Step {
        var thread: Int
        var way: Int
        var accesses: [Access]

        func depends(on other: Step) -> Bool {
            accesses.contains { mine in
                other.accesses.contains { $0.thing == mine.thing && ($0.isWrite || mine.isWrite) }
            } || isEverything || other.isEverything
        }

        private var isEverything: Bool { accesses.contains { $0.thing == Access.world } }
    }

    private var steps: [Step] = []
    /// How the execution ended, and which threads ended it, if others could have continued.
    private let endsAtCycles: Bool
    private(set) var trace: [[Int]] = []

    init(_ rules: Rules) { endsAtCycles = rules.endsAtCycles }

    func begin() { steps = [] }

    func willTake(_ step: NextStep) {
        let state = step.state
        noteEnd(state)
        let accesses = [Access](unsafeUninitializedCapacity: state.longestFootprint) { buffer, count in
            count = state.footprint(of: step.ruling, by: step.thread, into: buffer.baseAddress!)
        }
        steps.append(Step(thread: step.thread, way: step.way, accesses: accesses))
    }

    /// A thread's last step decides the result of a join with it.
    private func noteEnd(_ state: MachineState) {
        guard let last = steps.last, state.hasEnded(last.thread) else { return }
        steps[steps.count - 1].accesses.append(Access(Access.thread(last.thread), isWrite: true))
    }

    func end(_ verdict: Verdict, _ state: MachineState) {
        noteEnd(state)
        if let culprits = culprits(verdict, state) { leaveOutIdleEnds(except: culprits) }
        trace = form
    }

    /// The threads that ended the run early. Nil: none did.
    private func culprits(_ verdict: Verdict, _ state: MachineState) -> Set<Int>? {
        switch verdict {
        case .assertion, .claim, .brokenClaim, .misuse, .error, .livelock, .crash, .hang:
            return steps.last.map { [$0.thread] }
        case .deadlock where endsAtCycles:
            let cycle = (0..<state.threadCount).filter { state.isInCycle($0) }
            return cycle.isEmpty ? nil : Set(cycle)
        default: return nil
        }
    }

    /// Steps at the end of a thread that touch nothing come before the run's end or not: that is the same.
    private func leaveOutIdleEnds(except culprits: Set<Int>) {
        var done = culprits
        for index in steps.indices.reversed() where !done.contains(steps[index].thread) {
            if steps[index].accesses.isEmpty { steps.remove(at: index) } else { done.insert(steps[index].thread) }
        }
    }

    private var form: [[Int]] {
        var counts: [Int: Int] = [:]
        var names: [[Int]] = []
        var form: [[Int]] = []
        for (index, step) in steps.enumerated() {
            counts[step.thread, default: 0] += 1
            let name = [step.thread, counts[step.thread]!, step.way]
            var entry = name
            for earlier in 0..<index where steps[earlier].thread != step.thread && step.depends(on: steps[earlier]) {
                entry += names[earlier]
            }
            names.append(name)
            form.append(entry)
        }
        // The order of what comes before is that of the execution: sorted, it is the trace's.
        return form.map { entry in
            let before = stride(from: 3, to: entry.count, by: 3).map { Array(entry[$0..<$0 + 3]) }
            return entry[..<3] + before.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
