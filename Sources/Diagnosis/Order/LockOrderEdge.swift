import Trace

/// An edge of the graph of lock orders: a thread took a lock while it held another, and might have had to wait there.
package struct LockOrderEdge {
    package var thread: ThreadID
    /// The lock that the thread held, and the lock that it took.
    package var from: Hold
    package var to: Hold
    /// All locks that the thread held when it took `to`.
    var held: [Hold]
    /// The semaphores of which it held a permit.
    var permits: [ObjectID]
    /// What the thread had seen of other threads through creations, ends and semaphores when it took the lock.
    var clock: VectorClock

    /// The locks that the thread held besides `from`.
    private var gates: some Sequence<Hold> { held.lazy.filter { $0.object != from.object } }

    /// Whether the other edge says the same: the same thread takes the locks in the same modes, with the same other
    /// locks held and at the same time of its clock.
    func isLike(_ other: Self) -> Bool {
        thread == other.thread && from.mode == other.from.mode && to.mode == other.to.mode
            && clock[thread] == other.clock[thread] && held.count == other.held.count
            && gates.elementsEqual(other.gates) { $0.object == $1.object }
    }

    /// Whether this thread, if it waited at its edge, would wait for the thread of the other edge.
    func isBlocked(by next: Self) -> Bool {
        to.object == next.from.object && (to.mode == .exclusive || next.from.mode == .exclusive)
    }

    /// Whether both threads can be at their edges at the same time: they are different threads, no lock that both hold
    /// keeps one of them out, and neither edge is ordered after the other (neither clock has reached the other's time).
    func canMeet(_ other: Self) -> Bool {
        thread != other.thread && !isKeptOut(by: other)
            && clock[thread] > other.clock[thread] && other.clock[other.thread] > clock[other.thread]
    }

    /// Whether both threads hold the same lock besides `from`, and at least one of them holds it exclusively.
    private func isKeptOut(by other: Self) -> Bool {
        gates.contains { gate in
            other.gates.contains {
                $0.object == gate.object && ($0.mode == .exclusive || gate.mode == .exclusive)
            }
        }
    }
}
