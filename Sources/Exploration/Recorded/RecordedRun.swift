import Machine
import Trace

/// What the threads of a native run did, step by step, according to its trace. `RecordedOrder` follows it.
package struct RecordedRun {
    package let trace: TraceDocument
    /// The steps of all threads, in the order of the trace.
    private(set) var steps: [RecordedStep] = []
    /// By thread: the indices of its steps.
    private(set) var stepsByThread: [[Int]]
    /// The number of waits that ended without a signal.
    private(set) var spuriousWakeups = 0

    /// - Parameter trace: a trace that has the run from its beginning on.
    package init(_ trace: TraceDocument) {
        self.trace = trace
        stepsByThread = Array(repeating: [], count: trace.threads.count)
        for (index, event) in trace.events.enumerated() {
            if event.kind.effect.isStep && !event.isNoStep {
                stepsByThread[Int(event.thread.index)].append(steps.count)
                steps.append(RecordedStep(event, index: index))
            }
            // After the end of the run, threads only unwind.
            if event.kind.effect.endsRun { break }
        }
        dropWaits()
        setBounds()
        orderWaits()
    }

    /// The rules under which the run can be repeated.
    ///
    /// - Parameter maximumSteps: the number of steps beyond those of the record, which may need two for an event.
    package func rules(maximumSteps: Int) -> Rules {
        var rules = Rules(maximumSteps: maximumSteps + 2 * steps.count)
        rules.spuriousWakeups = min(spuriousWakeups, Rules.mostSpuriousWakeups)
        // A time limit that has passed can do so at any moment of the repetition.
        if trace.events.contains(where: { $0.kind.effect.tellsTime }) { rules.timeouts = .any }
        return rules
    }

    // MARK: - The order of steps

    /// Drops the waits of writers that got the lock: the order of all other steps determines when they wait.
    private mutating func dropWaits() {
        for thread in stepsByThread.indices {
            let last = stepsByThread[thread].last
            stepsByThread[thread].removeAll { steps[$0].effect == .wait(.lock(.writing)) && $0 != last }
        }
    }

    /// Sets when each step can have happened: between its event and the thread's next one, if it was recorded before it
    /// happened; otherwise between the thread's previous event and its own.
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

    /// Determines which waits were ended by signals, and moves a wait after each signal that it missed.
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
    /// Whether the event does not represent a step, but only reports a misuse that was noticed between two operations.
    fileprivate var isNoStep: Bool {
        guard kind.effect == .misuse, let kind = UInt8(exactly: value).flatMap(MisuseKind.init(rawValue:)) else {
            return false
        }
        return [
            .destroyHeld, .wrongThread, .wrongQueue, .startTwice, .notStarted, .usedAfterRelease, .releasedTwice,
        ].contains(kind)
    }
}

/// An event of a native run that represents a step, or a thread's end.
///
/// The event's place in the trace is where it was recorded. When the step happened is known less precisely: a release
/// is recorded just before it happens, most other operations just after. Reads and writes of memory are in the order of
/// their values, which was determined when the trace was made.
struct RecordedStep {
    let event: Event
    /// The event's index in the trace.
    let index: Int
    /// When to take the step. Even numbers are the places of the trace's events; odd numbers are between two events.
    var place: Int
    /// Bounds of when the step happened. Each is the step's own place, or that of the thread's previous or next step.
    var earliest: Int
    var latest: Int

    init(_ event: Event, index: Int) {
        self.event = event
        self.index = index
        place = 2 * index
        earliest = place
        latest = place
    }

    var kind: EventKind { event.kind }
    var effect: Effect { event.kind.effect }
}

/// Where a run could no longer follow a recorded one, and why.
package struct Departure: Equatable {
    package enum Reason: Equatable, Sendable {
        /// The thread has not been started, or has ended.
        case noThread
        /// The thread cannot continue.
        case heldUp
        /// The thread would record this event instead.
        case other(EventKind, ObjectID?)
        /// The thread has reached an operation that records no event.
        case untold
        /// The thread would record the same event with this value.
        case value(Int, recorded: Int)
        /// The run has ended before it repeated the event.
        case runIsOver
        /// All threads that have not ended are blocked.
        case allBlocked
        /// A thread is started that the recorded run did not start.
        case newThread
    }

    /// The number of the recorded event that could not be followed, from 1.
    package let number: Int
    package let event: Event
    package let reason: Reason

    /// One sentence, without its full stop.
    ///
    /// - Parameter trace: the trace of the recorded run.
    package func description(in trace: TraceDocument) -> String {
        let object = trace.object(event.object).map { " of \($0.name)" } ?? ""
        let site = trace.site(event.site).map { " at \($0.shortDescription)" } ?? ""
        let deed = "\(trace.name(of: event))\(object) by \(trace.name(of: event.thread))\(site)"
        return "event \(number) of \(trace.events.count) is \(deed), but \(why(in: trace))"
    }

    private func why(in trace: TraceDocument) -> String {
        switch reason {
        case .noThread: "there is no such thread now"
        case .heldUp: "the thread cannot continue there"
        case .other(let kind, let object):
            "the thread reaches \(kind.name)\(object.flatMap(trace.object).map { " of \($0.name)" } ?? "")"
        case .untold: "the thread reaches something else"
        case .value(let value, let recorded): "the value is \(value), not \(recorded)"
        case .runIsOver: "the run is over"
        case .allBlocked: "no thread can continue"
        case .newThread: "a thread is started there"
        }
    }
}
