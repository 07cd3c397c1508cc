/// An access of a sleeping or drowsy thread's step (`NodeThreads`). Thing 0: the step touches nothing.
struct SleepingAccess: BitwiseCopyable {
    var thread: UInt16
    var isWrite: Bool
    var thing: Int32
    /// If the step was tried with one alternative at a time: the alternatives tried so far, one bit each; otherwise 0.
    /// For the thing `Access.cycle`: the word of an `Announcement`.
    var ways: UInt64 = 0

    /// The number of alternatives for which `ways` has a bit.
    @inline(__always) static var mostWays: Int32 { 64 }
}
