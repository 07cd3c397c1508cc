import Trace

/// A thread took a lock while it held another, and might have had to wait there.
package struct LockOrderEdge {
    package var thread: ThreadID
    package var from: Hold
    package var to: Hold
    /// All locks that the thread held before. Shared by all edges to `to`.
    var held: [Hold]
    /// The semaphores of which it held a permit.
    var permits: [ObjectID]
    /// What the thread had seen of other threads through creations, ends and semaphores.
    var clock: VectorClock

    /// The other locks that the thread held.
    private var gates: some Sequence<Hold> { held.lazy.filter { $0.object != from.object } }

    /// Whether the other edge adds nothing new.
    func isLike(_ other: Self) -> Bool {
        thread == other.thread && from.mode == other.from.mode && to.mode == other.to.mode
            && clock[thread] == other.clock[thread] && held.count == other.held.count
            && gates.elementsEqual(other.gates) { $0.object == $1.object }
    }

    /// Whether this thread, if it waited for its lock, would wait for the other thread.
    func isBlocked(by next: Self) -> Bool {
        to.object == next.from.object && (to.mode == .exclusive || next.from.mode == .exclusive)
    }

    /// Whether both threads can be at these two places at the same time: they are different threads, no lock that both
    /// hold excludes one of them, and neither place is ordered after the other.
    func canMeet(_ other: Self) -> Bool {
        thread != other.thread && !isKeptOut(by: other)
            && clock[thread] > other.clock[thread] && other.clock[other.thread] > clock[other.thread]
    }

    private func isKeptOut(by other: Self) -> Bool {
        gates.contains { gate in
            other.gates.contains {
                $0.object == gate.object && ($0.mode == .exclusive || gate.mode == .exclusive)
            }
        }
    }
}
