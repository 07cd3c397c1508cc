import Trace

/// Threads that make no progress: the run was cut off after it had returned to the same situation repeatedly.
///
/// A situation is remembered after 1, 2, 4, 8 … events (as Brent, 1980, finds the cycle of a sequence), and its returns
/// are counted. Memory use therefore does not grow with the run, and a cycle that begins late is found. The threads'
/// private state is not visible: a thread that counts its attempts and would eventually give up looks as if it never
/// would. The finding is therefore a warning, in addition to the time-out.
package struct LivelockDetector: Detector {
    private struct Turns {
        var events = 0
        /// Failed attempts.
        var failures = 0
        var lastFailure: Event?
        /// The last read.
        var lastLook: Event?
        var last: Event?

        mutating func add(_ event: Event, isFailure: Bool) {
            events += 1
            last = event
            guard isFailure else { return }
            failures += 1
            lastFailure = event
        }

        /// What keeps the thread from making progress.
        var obstacle: Event? { lastFailure ?? lastLook ?? last }
    }

    private var situation = Situation()
    private var remembered: UInt64 = 0
    private var returns = 0
    private var turns = PerThread(Turns())
    private var count = 0
    private var wasGivenUp = false
    private var hasNoProgress = false

    /// Fewer returns may be a coincidence.
    private static let enough = 10

    package init() {}

    package mutating func consume(_ event: Event) {
        let effect = event.kind.effect
        guard !effect.endsRun else {
            if effect == .endRun(.givenUp) { wasGivenUp = true }
            return
        }
        if event.kind == .noProgress { hasNoProgress = true }
        guard !hasNoProgress else { return }
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
        switch event.kind.effect {
        case .refuse, .unpark(isTimeout: true), .mismatch:
            turns[event.thread].add(event, isFailure: true)
        case .read, .update:
            turns[event.thread].add(event, isFailure: false)
            turns[event.thread].lastLook = event
        default: turns[event.thread].add(event, isFailure: false)
        }
    }

    package func findings(in names: Names) -> [Finding] {
        guard wasGivenUp || hasNoProgress, returns >= Self.enough else { return [] }
        let busy = turns.all.filter { $0.value.events > 0 }
        let threads = busy.map(\.key)
        let obstacles = busy.compactMap(\.value.obstacle)
        let makes = threads.count == 1 ? "makes" : "make"
        return [
            Finding(
                .livelock, hasNoProgress ? .fault : .warning,
                summary: "\(names.list(threads)) \(makes) no progress: "
                    + "the run returned to the same situation \(returns) times.",
                story: busy.map { line($0.key, $0.value, names) },
                advice: LivelockAdvice(obstacles, hasFailures: busy.contains { $0.value.failures > 0 }).text(names),
                threads: threads, objects: obstacles.map(\.object), sites: obstacles.map(\.site))
        ]
    }

    private func line(_ thread: ThreadID, _ turns: Turns, _ names: Names) -> String {
        let start = "\(names.name(thread)) recorded \(Names.count(turns.events, "event")) meanwhile"
        if let failure = turns.lastFailure {
            return "\(start); \(turns.failures) attempts failed, "
                + "the last on \(names.name(failure.object))\(names.at(failure.site))."
        }
        if let look = turns.lastLook {
            return "\(start), and kept reading \(names.name(look.object))\(names.at(look.site))."
        }
        guard let last = turns.last else { return "\(start)." }
        let object = last.object == .none ? "" : " \(names.name(last.object))"
        return "\(start), the last \(last.kind.name)\(object)\(names.at(last.site))."
    }
}
