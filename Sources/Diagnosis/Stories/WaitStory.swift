import Trace

/// Why a thread cannot step, in a clause:
/// `waits for a at Deadlock.swift:33, which first holds since Deadlock.swift:31`. Views show it while a run is stepped
/// through.
package struct WaitStory {
    private let names: Names
    private let graph: WaitForGraph

    package init(_ names: Names, _ graph: WaitForGraph) {
        self.names = names
        self.graph = graph
    }

    /// What the thread waits for, as a clause without the thread's name. Nil if the thread does not wait, as far as
    /// events show.
    package func clause(_ thread: ThreadID) -> String? {
        guard let wait = graph.wait(of: thread) else { return nil }
        return names.words(wait) + holders(wait) + (wait.isTimed ? ", with a time limit" : "")
    }

    /// What keeps the wait from ending, as a further clause.
    private func holders(_ wait: Wait) -> String {
        let blockers = graph.holders(keepingOut: wait)
        // `Names.words` has already named the thread whose end is awaited.
        if case .thread = wait.target { return "" }
        guard !blockers.isEmpty, wait.condition == nil || names.need(wait) == nil else { return "" }
        if let queue = wait.object, names.isQueue(queue) { return ", of which \(names.list(blockers)) runs a block" }
        let clauses = blockers.map { blocker in
            let name = blocker == wait.thread ? "it itself" : names.name(blocker)
            guard let hold = graph.hold(awaitedBy: wait, of: blocker) else { return "\(name) waits to write" }
            if names.trace.isInside(hold.object) { return "\(name) is using" }
            if graph.hasEnded(blocker) { return "\(name) still held when it ended" }
            return "\(name) holds\(hold.mode == .shared ? " for reading" : "")\(since(hold))"
        }
        return ", which " + Names.list(clauses)
    }

    private func since(_ hold: Hold) -> String { names.place(hold.site).map { " since \($0)" } ?? "" }

    /// The locks that the thread holds: `a (taken at Deadlock.swift:31)`.
    package func holdings(_ thread: ThreadID) -> [String] {
        names.known(graph.locks(of: thread)).map { names.words($0) }
    }
}
