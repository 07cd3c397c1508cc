import Diagnosis
import Trace
import Views

/// The view for an audience (`play --projector`): a few words about each thread, with its source line.
extension PlaySession {
    /// A thread in this view.
    package struct ProjectedThread {
        package let row: ThreadRow
        /// What the thread waits for, which threads keep it waiting, and which locks it holds. If it does not wait: the
        /// short form of its row.
        package let text: String
        /// The same, with numbers in place of names for the threads that keep it out of a lock.
        package let shortText: String
        /// The source line at which the thread is, with its number. Nil: it is unknown, or the thread does not exist now.
        package let code: (line: Int, text: String)?
    }

    /// The threads, without the main thread while it only waits for others to end.
    package var projectedThreads: [ProjectedThread] {
        let present = present
        return threadRows.map { row in
            let isThere = row.state == .canStep || row.state == .cannotStep
            return ProjectedThread(
                row: row, text: text(of: row, present, keeper: words.name),
                shortText: text(of: row, present) { "\($0.index)" }, code: isThere ? code(of: row.thread) : nil)
        }
    }

    /// - Parameter keeper: the name to show for a thread that keeps this one waiting. Such a thread holds the lock, or
    ///   is a writer that waits for the lock and goes before this reader.
    private func text(
        of row: ThreadRow, _ present: RunMoment, keeper: (ThreadID) -> String
    ) -> String {
        let id = ThreadID(row.thread)
        guard row.state == .cannotStep, let wait = present.graph.wait(of: id) else { return row.brief }
        // The clause names the thread that this one joins.
        let isJoin = if case .thread = wait.target { true } else { false }
        let keepers = isJoin ? [] : present.graph.holders(keepingOut: wait)
        let isHeld =
            wait.isSignaled
            || keepers.contains { keeper in
                present.graph.locks(of: keeper).contains { $0.object == wait.object }
            }
        let verb = keepers.count == 1 ? (isHeld ? "holds" : "waits to write") : isHeld ? "hold" : "wait to write"
        let others = keepers.isEmpty ? "" : ", which \(Names.list(keepers.map(keeper))) \(verb)"
        let held = present.graph.locks(of: id).map { words.name($0.object) }
        return clause(for: wait) + others + (held.isEmpty ? "" : "; holds \(Names.list(held))")
    }

    private func clause(for wait: Wait) -> String {
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
