/// An access of a sleeping or drowsy thread's step. Thing 0: it touches nothing.
struct SleepingAccess: BitwiseCopyable {
    var thread: UInt16
    var isWrite: Bool
    var thing: Int32
    /// For a drowsy thread: the alternatives that have been tried, one bit each. For `Access.cycle`: an `Announcement`.
    var ways: UInt64 = 0
}
