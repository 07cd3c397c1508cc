import Diagnosis
import Trace
import Views

/// The view for an audience (`play --projector`): a few words about each thread, with its source line.
extension PlaySession {
    /// A thread in this view.
    package struct ProjectedThread {
        package let row: ThreadRow
        /// What the thread does, waits for and holds.
        package let words: String
        /// The same, with the numbers of threads instead of their names.
        package let shortWords: String
        /// The source line at which the thread is, with its number. Nil: the thread has ended, or the line is unknown.
        package let code: (line: Int, text: String)?
    }

    /// The threads, without the main thread while it only waits for others to end.
    package var projectedThreads: [ProjectedThread] {
        let present = present
        return threadRows.map { row in
            let isThere = row.state == .canStep || row.state == .cannotStep
            return ProjectedThread(
                row: row, words: words(of: row, present, holder: words.name),
                shortWords: words(of: row, present) { "\($0.index)" }, code: isThere ? code(of: row.thread) : nil)
        }
    }

    /// - Parameter holder: how a thread that holds a lock is called.
    private func words(
        of row: ThreadRow, _ present: RunMoment, holder: (ThreadID) -> String
    ) -> String {
        let id = ThreadID(row.thread)
        guard row.state == .cannotStep, let wait = present.graph.wait(of: id) else { return row.brief }
        let holders = present.graph.holders(keepingOut: wait)
        let verb = holders.count == 1 ? "holds" : "hold"
        let others = holders.isEmpty ? "" : ", which \(Names.list(holders.map(holder))) \(verb)"
        let held = present.graph.locks(of: id).map { words.name($0.object) }
        return words(wait) + others + (held.isEmpty ? "" : "; holds \(Names.list(held))")
    }

    private func words(_ wait: Wait) -> String {
        switch wait.target {
        case .mutex(let object), .reading(let object), .writing(let object), .semaphore(let object):
            "waits for \(words.name(object))"
        case .condition(_, let mutex?) where wait.isSignaled: "woken, waits for \(words.name(mutex))"
        case .condition(let object, _): "waits for \(words.name(object))"
        case .memory(let object), .spin(let object): "waits until \(words.name(object)) changes"
        case .thread(let thread): "waits for \(words.name(thread)) to end"
        }
    }

    private func code(of thread: Int) -> (line: Int, text: String)? {
        guard let site = site(of: thread) else { return nil }
        return (site.line, program.source(site) ?? "")
    }

    /// The last steps before the current position, a line for each, with its thread. Nil: the step shows no event.
    package func lastSteps(_ count: Int) -> [(thread: Int?, text: String)] {
        (max(0, position - count)..<position).map { place in
            let event = run.events(before: place)..<run.events(before: place + 1)
            let thread = event.first { run.roles[$0] == .step }.map { Int(run.trace.events[$0].thread.index) }
            return (thread, stepLines(from: place)[0])
        }
    }
}
