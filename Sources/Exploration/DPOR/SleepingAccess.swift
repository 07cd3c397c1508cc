/// A thing that a sleeping or drowsy thread's step touches; 0: none.
struct SleepingAccess: BitwiseCopyable {
    var thread: UInt16
    var isWrite: Bool
    var thing: Int32
    /// For a drowsy thread: the alternatives that have been tried, one bit each.
    var ways: UInt64 = 0
}
