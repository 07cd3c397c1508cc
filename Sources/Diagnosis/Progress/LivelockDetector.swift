import Trace

/// Finds threads that seem to make no progress: the run was cut off, and had returned to the same situation again and
/// again during at least its last half. If a lack of progress was reported (`EventKind.noProgress`), `enough` returns
/// suffice.
///
/// To find a cycle in memory that does not grow with the run, the detector remembers a single situation: the one after
/// 1, 2, 4, 8 … events (as Brent, 1980, finds the cycle of a sequence), unless the run keeps returning to the one that
/// it remembers. So a cycle that begins late is found too. A situation is not final if some thread has more to do: if
/// it has passed a `progress`, sleeps, waits with a time limit, or could run but did not get a processor.
///
/// The private state of threads is not visible: a thread that counts its attempts and would eventually give up looks
/// like one that never would. The finding is therefore a warning, in addition to the time-out, unless a lack of
/// progress was reported.
package struct LivelockDetector: Detector {
    /// What a thread has done since the situation was remembered.
    private struct Turns {
        var events = 0
        /// The number of the thread's first event, among all events of the run.
        var first = 0
        var failures = 0
        var lastFailure: Event?
        /// The last read or update of memory.
        var lastRead: Event?
        var last: Event?

        mutating func add(_ event: Event, _ number: Int, isFailure: Bool) {
            if events == 0 { first = number }
            events += 1
            last = event
            guard isFailure else { return }
            failures += 1
            lastFailure = event
        }

        /// What keeps the thread from making progress.
        var obstacle: Event? { lastFailure ?? lastRead ?? last }
    }

    /// What a thread can do next.
    private enum Standing {
        /// The thread does not exist, or has ended.
        case absent
        case running
        /// Another thread has to act first.
        case blocked
        /// The thread continues when time has passed.
        case timed
    }

    private var situation = Situation()
    private var standings = PerThread(Standing.absent)
    /// The hash of the remembered situation.
    private var remembered: UInt64 = 0
    /// The number of events when the situation was remembered.
    private var start = 0
    /// How often the run has returned to the remembered situation, and the number of events at the last return.
    private var returns = 0
    private var lastReturn = 0
    /// The greatest number of events between two returns.
    private var longestGap = 0
    private var turns = PerThread(Turns())
    private var count = 0
    /// Whether the run was stopped before it ended.
    private var wasGivenUp = false
    /// Whether threadlab or the program has reported a lack of progress.
    private var hasNoProgress = false

    /// The minimum number of returns. Fewer may be a coincidence.
    private static let enough = 10
    /// The run has left the situation if it has not returned to it for more than a quarter (one divided by this) of the
    /// events since the situation was remembered.
    private static let gapDivisor = 4

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        guard !effect.endsRun else {
            if effect.end?.isGivenUp == true { wasGivenUp = true }
            return
        }
        if event.kind == .noProgress { hasNoProgress = true }
        guard !hasNoProgress else { return }
        count += 1
        situation.consume(event)
        note(event, run)
        if event.kind == .threadProgress { return remember() }
        if situation.hash == remembered {
            returns += 1
            longestGap = max(longestGap, count - lastReturn)
            lastReturn = count
        }
        let isPowerOfTwo = count & (count - 1) == 0
        if isPowerOfTwo && !isReturning { remember() }
    }

    private mutating func remember() {
        remembered = situation.hash
        start = count
        lastReturn = count
        returns = 0
        longestGap = 0
        turns = PerThread(Turns())
    }

    /// Whether the run has returned to the remembered situation regularly, and until now.
    private var isReturning: Bool {
        returns >= Self.enough && max(longestGap, count - lastReturn) <= (count - start) / Self.gapDivisor
    }

    private mutating func note(_ event: Event, _ run: RunState) {
        let thread = event.thread
        let effect = event.kind.effect
        let isFailure = effect.isRefusal || effect == .unpark(isTimeout: true) || effect == .mismatch
        turns[thread].add(event, count, isFailure: isFailure)
        if effect.isRead || effect == .update { turns[thread].lastRead = event }
        noteStanding(event, run)
    }

    private mutating func noteStanding(_ event: Event, _ run: RunState) {
        let thread = event.thread
        let effect = event.kind.effect
        if effect.createsThread, let new = UInt16(exactly: event.value) { standings[ThreadID(Int(new))] = .running }
        if effect.endsThread {
            standings[thread] = .absent
        } else if let wait = run.graph.wait(of: thread) {
            standings[thread] = wait.isTimed ? .timed : .blocked
        } else if effect == .sleep {
            standings[thread] = .timed
        } else if effect != .limitWait {
            standings[thread] = .running
        }
    }

    /// The threads that took part in the cycle: they have left the situation, and the run then returned to it.
    private var returning: [(key: ThreadID, value: Turns)] {
        turns.all.filter { $0.value.events > 0 && $0.value.first <= lastReturn }
    }

    /// Whether a thread that took no part in the cycle can continue, and change the situation.
    private func isPassing(_ returning: [ThreadID]) -> Bool {
        standings.all.contains { thread, standing in
            switch standing {
            case .absent, .blocked: false
            case .running, .timed: !returning.contains(thread)
            }
        }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        let busy = returning
        let threads = busy.map(\.key)
        let isLasting = hasNoProgress || isReturning && (count - start) >= count / 2 && !isPassing(threads)
        guard wasGivenUp || hasNoProgress, returns >= Self.enough, isLasting else { return [] }
        let obstacles = busy.compactMap(\.value.obstacle)
        return [
            Finding(
                .livelock, hasNoProgress ? .fault : .warning, summary: summary(names.list(threads), threads.count),
                story: busy.map { line($0.key, $0.value, names) } + (hasNoProgress ? [] : [Self.doubt]),
                advice: LivelockAdvice(obstacles, hasFailures: busy.contains { $0.value.failures > 0 }).text(names),
                threads: threads, objects: obstacles.map(\.object), sites: obstacles.map(\.site))
        ]
    }

    private func summary(_ threads: String, _ number: Int) -> String {
        if hasNoProgress {
            return "\(threads) \(number == 1 ? "makes" : "make") no progress: "
                + "the run returned to the same situation \(returns) times."
        }
        return "\(threads) \(number == 1 ? "seems" : "seem") to make no progress: until it was stopped, "
            + "the run kept returning to the same situation, \(returns) times."
    }

    private static let doubt =
        "A run's events do not show the threads' own variables: a loop that counts there ends at some point."

    private func line(_ thread: ThreadID, _ turns: Turns, _ names: Names) -> String {
        let start = "\(names.name(thread)) recorded \(Names.count(turns.events, "event")) meanwhile"
        if let failure = turns.lastFailure {
            return "\(start); \(Names.count(turns.failures, "attempt")) failed, "
                + "the last on \(names.name(failure.object))\(names.at(failure.site))."
        }
        if let read = turns.lastRead {
            return "\(start), and kept reading \(names.name(read.object))\(names.at(read.site))."
        }
        guard let last = turns.last else { return "\(start)." }
        let object = last.object == .none ? "" : " \(names.name(last.object))"
        return "\(start), the last \(names.trace.name(of: last))\(object)\(names.at(last.site))."
    }
}
