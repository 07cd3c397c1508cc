import Machine
import Trace

/// What the threads of a run on real threads did, step by step, as its trace tells it: what `RecordedOrder` follows.
package struct RecordedRun {
    package let trace: TraceDocument
    /// In the order of the trace.
    private(set) var steps: [RecordedStep] = []
    /// By thread: its steps, as indices into `steps`.
    private(set) var stepsByThread: [[Int]]
    /// How many waits ended without a signal.
    private(set) var spuriousWakeups = 0

    /// - Parameter trace: from the run's beginning.
    package init(_ trace: TraceDocument) {
        self.trace = trace
        stepsByThread = Array(repeating: [], count: trace.threads.count)
        for (index, event) in trace.events.enumerated() {
            if event.kind.isRecordedStep && !event.isNoStep {
                stepsByThread[Int(event.thread.index)].append(steps.count)
                steps.append(RecordedStep(event, index: index))
            }
            // What comes then is only unwinding.
            if event.kind.endsRun { break }
        }
        dropWaits()
        setBounds()
        orderReads()
        orderWaits()
    }

    /// The rules under which what happened can happen again.
    package func rules(maximumSteps: Int) -> Rules {
        var rules = Rules(maximumSteps: maximumSteps + 2 * steps.count)
        rules.spuriousWakeups = min(spuriousWakeups, Rules.mostSpuriousWakeups)
        if trace.events.contains(where: { $0.kind.tellsTime }) { rules.timeouts = .any }
        return rules
    }

    // MARK: - When things happened

    /// That a writer waits matters only if it never got the lock: otherwise the others' order says all.
    private mutating func dropWaits() {
        for thread in stepsByThread.indices {
            let last = stepsByThread[thread].last
            stepsByThread[thread].removeAll { steps[$0].kind == .writeWait && $0 != last }
        }
    }

    private mutating func setBounds() {
        for own in stepsByThread {
            for (position, step) in own.enumerated() {
                if steps[step].kind.comesFirst {
                    steps[step].latest = position + 1 < own.count ? steps[own[position + 1]].place : Int.max
                } else {
                    steps[step].earliest = position > 0 ? steps[own[position - 1]].place : 0
                }
            }
        }
    }

    /// Puts each read after the write that it saw. Two threads that use the same memory at the same time may record it in another
    /// order than it happened in.
    private mutating func orderReads() {
        var writes: [ObjectID: [Int]] = [:]
        for index in steps.indices {
            let object = steps[index].event.object
            switch steps[index].kind {
            case .cellWrite, .atomicStore, .atomicUpdate: writes[object, default: []].append(index)
            case .cellRead, .atomicLoad, .atomicMismatch: put(read: index, among: &writes[object, default: []])
            default: break
            }
        }
    }

    /// - Parameter writes: of the same memory, recorded before, in their order.
    private mutating func put(read: Int, among writes: inout [Int]) {
        let source = writes.lastIndex { steps[$0].event.value == steps[read].event.value }
        let unseen = writes[(source.map { $0 + 1 } ?? 0)...]
        guard let first = unseen.first, let last = unseen.last else { return }
        if steps[read].earliest < steps[first].place {
            steps[read].place = steps[first].place - 1
        } else if let source, steps[writes[source]].latest > steps[last].place {
            steps[writes[source]].place = steps[last].place + 1
            writes.append(writes.remove(at: source))
        } else {
            for write in unseen where steps[write].latest > steps[read].place {
                steps[write].place = steps[read].place + 1
            }
        }
    }

    /// Sees which waits were ended by signals, and moves those behind a signal that they missed.
    private mutating func orderWaits() {
        var books = WaitBooks()
        for index in steps.indices {
            let step = steps[index]
            switch step.kind {
            case .conditionWait:
                let next = stepsByThread[Int(step.event.thread.index)].first { $0 > index }
                books.begin(step, next.map { steps[$0] }, at: index)
            case .conditionWake, .conditionTimeout: books.end(step, at: index)
            case .mutexAcquire: books.noteAcquisition(of: step.event.object, at: index)
            case .conditionSignal, .conditionBroadcast:
                for wait in books.signal(step.event.object, toAll: step.kind == .conditionBroadcast) {
                    steps[wait].place = step.place + 1
                }
            default: break
            }
        }
        spuriousWakeups = books.spuriousWakeups
    }
}

extension Event {
    /// Whether it only tells of something that was seen between two operations.
    fileprivate var isNoStep: Bool {
        kind == .misuse && (value == MisuseKind.destroyHeld.rawValue || value == MisuseKind.wrongThread.rawValue)
    }
}
