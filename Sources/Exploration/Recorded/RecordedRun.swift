import Machine
import Trace

/// What the threads of a native run did, step by step, according to its trace. `RecordedOrder` follows it.
package struct RecordedRun {
    package let trace: TraceDocument
    /// In the order of the trace.
    private(set) var steps: [RecordedStep] = []
    /// By thread: its steps, as indices into `steps`.
    private(set) var stepsByThread: [[Int]]
    /// The number of waits that ended without a signal.
    private(set) var spuriousWakeups = 0

    /// - Parameter trace: from the run's beginning.
    package init(_ trace: TraceDocument) {
        self.trace = trace
        stepsByThread = Array(repeating: [], count: trace.threads.count)
        for (index, event) in trace.events.enumerated() {
            if event.kind.effect.isStep && !event.isNoStep {
                stepsByThread[Int(event.thread.index)].append(steps.count)
                steps.append(RecordedStep(event, index: index))
            }
            // The rest is only unwinding.
            if event.kind.effect.endsRun { break }
        }
        dropWaits()
        setBounds()
        orderWaits()
    }

    /// The rules under which the run can be repeated.
    package func rules(maximumSteps: Int) -> Rules {
        var rules = Rules(maximumSteps: maximumSteps + 2 * steps.count)
        rules.spuriousWakeups = min(spuriousWakeups, Rules.mostSpuriousWakeups)
        if trace.events.contains(where: { $0.kind.effect.tellsTime }) { rules.timeouts = .any }
        return rules
    }

    // MARK: - When things happened

    /// A waiting writer matters only if it never got the lock: otherwise the order of the others determines everything.
    private mutating func dropWaits() {
        for thread in stepsByThread.indices {
            let last = stepsByThread[thread].last
            stepsByThread[thread].removeAll { steps[$0].effect == .wait(.lock(.writing)) && $0 != last }
        }
    }

    private mutating func setBounds() {
        for own in stepsByThread {
            for (position, step) in own.enumerated() {
                if steps[step].effect.isRecordedBefore {
                    steps[step].latest = position + 1 < own.count ? steps[own[position + 1]].place : Int.max
                } else {
                    steps[step].earliest = position > 0 ? steps[own[position - 1]].place : 0
                }
            }
        }
    }

    /// Determines which waits were ended by signals, and moves waits behind a signal that they missed.
    private mutating func orderWaits() {
        var books = WaitBooks()
        for index in steps.indices {
            let step = steps[index]
            if step.effect == .park {
                let next = stepsByThread[Int(step.event.thread.index)].first { $0 > index }
                books.begin(step, next.map { steps[$0] }, at: index)
            } else if step.effect.isUnpark {
                books.end(step, at: index)
            } else if step.effect == .take(.mutex) {
                books.noteAcquisition(of: step.event.object, at: index)
            } else if case .signal(let toAll) = step.effect {
                for wait in books.signal(step.event.object, toAll: toAll) { steps[wait].place = step.place + 1 }
            }
        }
        spuriousWakeups = books.spuriousWakeups
    }
}

extension Event {
    /// Whether it only reports something that was seen between two operations.
    fileprivate var isNoStep: Bool {
        guard kind.effect == .misuse, let kind = UInt8(exactly: value).flatMap(MisuseKind.init(rawValue:)) else {
            return false
        }
        return [
            .destroyHeld, .wrongThread, .wrongQueue, .startTwice, .notStarted, .usedAfterRelease, .releasedTwice,
        ].contains(kind)
    }
}
