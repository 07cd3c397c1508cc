import Trace

/// A vector clock. It says of each thread how much of the thread's execution has been seen, as a time: a number that
/// each thread counts up for itself. One clock is before another if it has seen no more of any thread.
struct VectorClock {
    private var times: [UInt32] = []

    /// The time up to which the thread has been seen; 0 if nothing of it has.
    @inline(__always)
    subscript(_ thread: ThreadID) -> UInt32 { thread.number < times.count ? times[thread.number] : 0 }

    /// The threads of which something was seen.
    var seen: [(thread: ThreadID, time: UInt32)] {
        times.enumerated().filter { $0.element > 0 }.map { (ThreadID($0.offset), $0.element) }
    }

    /// Moves the thread's time forward by one.
    mutating func advance(_ thread: ThreadID) {
        while times.count <= thread.number { times.append(0) }
        times[thread.number] &+= 1
    }

    /// Forgets all that has been seen.
    mutating func clear() { times.removeAll(keepingCapacity: true) }

    /// Adds all that the other clock has seen.
    mutating func merge(_ other: VectorClock) {
        while times.count < other.times.count { times.append(0) }
        for index in other.times.indices where other.times[index] > times[index] { times[index] = other.times[index] }
    }

    /// Becomes a copy of the other clock, in its own memory, so that neither has to be copied when it changes.
    mutating func follow(_ other: VectorClock) {
        times.removeAll(keepingCapacity: true)
        times.append(contentsOf: other.times)
    }
}
