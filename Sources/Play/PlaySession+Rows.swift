import Diagnosis
import Trace
import Views

/// A thread in the list of threads: as a sentence, and in a short form for narrow screens.
package struct ThreadRow {
    /// `absent`: the thread has not been created yet.
    package enum State: Equatable { case canStep, cannotStep, ended, absent }

    package let thread: Int
    package let state: State
    package let name: String
    /// What the thread does, waits for and holds.
    package let sentence: String
    /// The short form, with threads by number: in `waits fork[1]<-2, holds fork[0]`, thread 2 holds `fork[1]`. (If this
    /// thread waits to read a read-write lock, thread 2 may also be a writer that waits before it.)
    package let brief: String
}

extension PlaySession {
    /// The rows of the threads, without the main thread while it only waits for others to end.
    package var threadRows: [ThreadRow] {
        let present = present
        let story = WaitStory(names, present.graph)
        let enabled = Set(enabled)
        return threads.filter { $0 != 0 || !isOnlyJoining(present.graph) }.map { thread in
            let state: ThreadRow.State =
                enabled.contains(thread)
                ? .canStep : hasEnded(thread) ? .ended : exists(thread) ? .cannotStep : .absent
            return ThreadRow(
                thread: thread, state: state, name: name(thread),
                sentence: sentence(ofThread: thread, story, present.graph), brief: briefText(thread, state, present))
        }
    }

    /// Whether the main thread only waits for another one to end, as in most programs, which is not worth a line.
    func isOnlyJoining(_ graph: WaitForGraph) -> Bool {
        guard threads.count > 1, !enabled.contains(0), case .thread = graph.wait(of: .main)?.target else {
            return false
        }
        return true
    }

    /// The thread's condition, and the locks that it holds.
    func sentence(ofThread thread: Int, _ story: WaitStory, _ graph: WaitForGraph) -> String {
        let holds = story.holdings(ThreadID(thread))
        let held = holds.isEmpty ? "" : "; holds \(Names.list(holds).printableText)"
        return "\(condition(thread, graph))\(held)"
    }

    private func briefText(_ thread: Int, _ state: ThreadRow.State, _ present: RunMoment) -> String {
        let id = ThreadID(thread)
        let locks = present.graph.locks(of: id).map { words.name($0.object) }
        let held = locks.isEmpty ? "" : ", holds \(locks.joined(separator: ", "))"
        switch state {
        case .ended: return "ended"
        case .absent: return "not created"
        case .canStep: return briefStep(thread) + held
        case .cannotStep: break
        }
        if let wait = present.graph.wait(of: id) { return briefClause(for: wait, present.graph) + held }
        return (present.thread(id).activity == .asleep ? "sleeps" : condition(thread, present.graph)) + held
    }

    private func briefStep(_ thread: Int) -> String {
        guard run.isControlled, !predicts, let next = run.next(thread, after: position), !next.kind.effect.blocks,
            next.kind != .threadTry
        else { return "can step" }
        return words.step(next)
    }

    private func briefClause(for wait: Wait, _ graph: WaitForGraph) -> String {
        let keepers = graph.holders(keepingOut: wait).map { "\($0.index)" }.joined(separator: ",")
        let arrow = keepers.isEmpty ? "" : "<-\(keepers)"
        return switch wait.target {
        case .mutex(let lock), .reading(let lock), .writing(let lock): "waits \(words.name(lock))\(arrow)"
        case .semaphore(let semaphore): "waits \(words.name(semaphore))\(arrow)"
        case .condition(_, let mutex?) where wait.isSignaled: "woken, waits \(words.name(mutex))\(arrow)"
        case .condition(let condition, _): "waits \(words.name(condition))"
        case .memory(let object), .spin(let object): "waits \(words.name(object))"
        case .thread(let thread): "joins \(thread.index)"
        }
    }

    // MARK: - Marks in the source

    /// The threads whose present lines are marked in the source. The main thread is left out while it only waits for
    /// others to end.
    package var marks: [(thread: Int, site: TraceDocument.Site)] {
        let hidesMain = isOnlyJoining(present.graph)
        return threads.filter { !hasEnded($0) && exists($0) && ($0 != 0 || !hidesMain) }.compactMap { thread in
            site(of: thread).map { (thread, $0) }
        }
    }

    /// Numbers of threads in a short form: `1-3,5`.
    package static func ranges(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers.sorted() {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { range in
            switch range.count {
            case 1: "\(range.lowerBound)"
            case 2: "\(range.lowerBound),\(range.upperBound)"
            default: "\(range.lowerBound)-\(range.upperBound)"
            }
        }.joined(separator: ",")
    }
}
