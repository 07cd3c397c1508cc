import Primitives
import Synchronization

/// What the threads of one execution have seen, each in its own order: the same in all executions that differ only in
/// the order of independent steps.
final class Sight: Sendable {
    private let seen = Synchronization.Mutex<[String: [String]]>([:])

    func saw(_ thing: Any?, as thread: String = Thread.current.isMain ? "main" : "") {
        let text = thing.map { "\($0)" } ?? "nothing"
        seen.withLock { $0[thread, default: []].append(text) }
    }

    /// Returns what was seen, and forgets it.
    func take() -> [String: [String]] {
        seen.withLock { seen in
            defer { seen = [:] }
            return seen
        }
    }

    func count(of thread: String) -> Int { seen.withLock { $0[thread]?.count ?? 0 } }
}
