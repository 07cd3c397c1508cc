/// A thing that a sleeping or drowsy thread's step touches; 0: none.
struct SleepingAccess: BitwiseCopyable {
    var thread: UInt16
    var isWrite: Bool
    var thing: Int32
    /// Of a drowsy one: the ways that have been tried, a bit each.
    var ways: UInt64 = 0
}
