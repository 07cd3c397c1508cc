import Trace

/// How far into each thread's life something has seen. One is before another if it has seen no further in any thread.
struct VectorClock {
    private let times: [UInt32]

    init(_ times: some Sequence<UInt32>) { self.times = Array(times) }

    subscript(_ thread: ThreadID) -> UInt32 { thread.number < times.count ? times[thread.number] : 0 }
}
