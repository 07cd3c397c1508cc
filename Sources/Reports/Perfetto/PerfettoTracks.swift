import Trace

/// The numbers of the tracks in a Perfetto trace: one for the process, one for each thread, below it one for each lock
/// that it takes, and the counters. They follow from what the track shows, so no table is needed.
enum PerfettoTracks {
    enum Counter: UInt64 {
        case waiting = 1
        case permits = 2
        case length = 3
        case reading = 4
    }

    static let process: UInt64 = 1

    static func thread(_ thread: ThreadID) -> UInt64 { 1 << 56 | UInt64(thread.index) }

    static func hold(_ object: ObjectID, by thread: ThreadID) -> UInt64 {
        2 << 56 | UInt64(thread.index) << 32 | UInt64(object.index)
    }

    static func counter(_ counter: Counter, of object: ObjectID) -> UInt64 {
        3 << 56 | counter.rawValue << 32 | UInt64(object.index)
    }
}
