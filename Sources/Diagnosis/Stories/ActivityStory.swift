import Trace

/// What each remaining thread is doing while a run is in progress, in a few words, or was doing when the run stopped,
/// in a line each.
struct ActivityStory {
    let names: Names
    let graph: WaitForGraph
    let lastEvents: PerThread<Event?>
    let untaken: UntakenSignals

    /// The maximum number of threads that are listed. After the run, further ones are counted.
    private static let limit = 10

    /// The threads that have been created and have not ended.
    var threads: [ThreadID] { graph.alive }

    /// After the run: a line for each thread.
    var lines: [String] {
        let shown = threads.prefix(Self.limit).map(line)
        let rest = threads.count - shown.count
        return rest > 0 ? shown + ["And \(Names.count(rest, "thread")) more."] : shown
    }

    /// A doubt about whether the thread still waits: only the system knows which of several waiters a signal woke, so
    /// the line says how many were woken.
    private func doubt(_ wait: Wait) -> String {
        guard let condition = wait.condition, !wait.isSignaled else { return "" }
        let woken = untaken.count(of: condition)
        return woken > 0 ? " (of \(graph.waiters(of: condition).count) waiters, \(woken) had just been woken)" : ""
    }

    // MARK: - During the run

    /// For example `first waits for b (2.9 s)`. The main thread comes last: it usually waits for the others to end.
    func phrases(at time: UInt64) -> [String] {
        let threads = threads.filter { $0 != .main } + threads.filter { $0 == .main }
        return threads.prefix(Self.limit).map { phrase($0, time) }
    }

    private func phrase(_ thread: ThreadID, _ time: UInt64) -> String {
        let name = names.name(thread)
        if var wait = graph.wait(of: thread) {
            let tenths = (time - min(wait.time, time)) / 100_000_000
            wait.site = .unknown
            return "\(name) \(names.words(wait)) (\(tenths / 10).\(tenths % 10) s)"
        }
        guard let last = lastEvents[thread] else {
            return thread == .main ? "\(name) runs" : "\(name) has not started"
        }
        return last.kind.effect == .sleep ? "\(name) sleeps" : "\(name) runs"
    }

    // MARK: - After the run

    private func line(_ thread: ThreadID) -> String {
        let name = names.name(thread)
        if let wait = graph.wait(of: thread) {
            let holders = graph.blockers(of: thread).filter { graph.hold(awaitedBy: wait, of: $0) != nil }
            return "\(name) \(names.words(wait, heldBy: holders))\(doubt(wait))."
        }
        guard let event = lastEvents[thread] else {
            return thread == .main ? "\(name) had not recorded an event yet." : "\(name) had not started yet."
        }
        if event.kind.effect == .sleep { return "\(name) was asleep\(names.at(event.site))." }
        if event.kind.effect == .startThread { return "\(name) was running, and had not recorded an event yet." }
        let object = event.object == .none ? "" : " \(names.name(event.object))"
        return "\(name) was running; its last event is \(names.trace.name(of: event))\(object)\(names.at(event.site))."
    }
}
