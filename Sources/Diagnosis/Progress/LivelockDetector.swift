import Trace

/// Threads that go in circles: the run was given up, and stood in the same situation again and again before that.
///
/// A situation is remembered after 1, 2, 4, 8 … events (as Brent, 1980, finds the cycle of a sequence), and it is counted how
/// often it comes back. So nothing grows with the run, and a circle is seen that begins late. What threads keep to
/// themselves is not seen: one that counts its attempts, and would give up some day, looks as if it never would. It is a
/// warning therefore, beside the time-out.
package struct LivelockDetector: Detector {
    private struct Turns {
        var events = 0
        /// Attempts that came to nothing.
        var failures = 0
        var lastFailure: Event?
        var last: Event?

        mutating func add(_ event: Event, isFailure: Bool) {
            events += 1
            last = event
            guard isFailure else { return }
            failures += 1
            lastFailure = event
        }
    }

    private var situation = Situation()
    private var remembered: UInt64 = 0
    private var returns = 0
    private var turns = PerThread(Turns())
    private var count = 0
    private var wasGivenUp = false

    /// Fewer returns may be chance.
    private static let enough = 10

    package init() {}

    package mutating func consume(_ event: Event) {
        guard !event.kind.endsRun else {
            if event.kind == .runTimeout || event.kind == .runStepLimit { wasGivenUp = true }
            return
        }
        count += 1
        situation.consume(event)
        note(event)
        if situation.hash == remembered { returns += 1 }
        if count & (count - 1) == 0 && returns < Self.enough {
            remembered = situation.hash
            returns = 0
            turns = PerThread(Turns())
        }
    }

    private mutating func note(_ event: Event) {
        switch event.kind {
        case .mutexBusy, .lockBusy, .semaphoreBusy, .mutexTimeout, .lockTimeout, .semaphoreTimeout, .conditionTimeout,
            .atomicMismatch:
            turns[event.thread].add(event, isFailure: true)
        default: turns[event.thread].add(event, isFailure: false)
        }
    }

    package func findings(in words: Words) -> [Finding] {
        guard wasGivenUp, returns >= Self.enough else { return [] }
        let busy = turns.all.filter { $0.value.events > 0 }
        let threads = busy.map(\.key)
        let goes = threads.count == 1 ? "goes" : "go"
        return [
            Finding(
                .livelock, .warning,
                summary: "\(words.list(threads)) \(goes) in circles: "
                    + "the run came back to the same situation \(returns) times.",
                story: busy.map { line($0.key, $0.value, words) }, threads: threads,
                objects: busy.compactMap { $0.value.lastFailure?.object },
                sites: busy.compactMap { $0.value.lastFailure?.site ?? $0.value.last?.site })
        ]
    }

    private func line(_ thread: ThreadID, _ turns: Turns, _ words: Words) -> String {
        let start = "\(words.name(thread)) did \(Words.count(turns.events, "thing")) meanwhile"
        if let failure = turns.lastFailure {
            return "\(start); \(turns.failures) attempts came to nothing, "
                + "the last on \(words.name(failure.object))\(words.at(failure.site))."
        }
        guard let last = turns.last else { return "\(start)." }
        let object = last.object == .none ? "" : " \(words.name(last.object))"
        return "\(start), the last \(last.kind.name)\(object)\(words.at(last.site))."
    }
}
