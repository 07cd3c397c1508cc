import Trace

/// How far into each thread's life something has seen. One is before another if it has seen no further in any thread.
struct VectorClock: Equatable {
    private var times: [UInt32] = []

    subscript(_ thread: ThreadID) -> UInt32 {
        let index = Int(thread.index)
        return index < times.count ? times[index] : 0
    }

    mutating func advance(_ thread: ThreadID) {
        let index = Int(thread.index)
        while times.count <= index { times.append(0) }
        times[index] &+= 1
    }

    /// Sees all that the other has seen as well.
    mutating func merge(_ other: VectorClock) {
        while times.count < other.times.count { times.append(0) }
        for index in other.times.indices where other.times[index] > times[index] { times[index] = other.times[index] }
    }
}
