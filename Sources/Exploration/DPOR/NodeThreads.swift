/// What 64 threads can do at a node, one bit for each thread.
struct NodeThreads: BitwiseCopyable {
    /// The threads that can step.
    var enabled: UInt64 = 0
    /// The enabled threads that are in a wait and can leave it without a signal; `spurious`: those among them whose
    /// time limit has not passed.
    var leaving: UInt64 = 0
    var spurious: UInt64 = 0
    /// Threads whose step touches nothing. The order of such steps never matters, so they are taken first.
    var free: UInt64 = 0
    /// Threads whose step is a read after which their `await` continues to wait. They are taken last.
    var failing: UInt64 = 0
    /// Threads whose step has been tried here or earlier in an equivalent state, so that every execution that begins
    /// with it is known.
    var sleeping: UInt64 = 0
    /// Threads whose step has been tried with some of its alternatives, but not with all.
    var drowsy: UInt64 = 0

    /// The thread's bit in the element to which it belongs.
    @inline(__always) static func bit(_ thread: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: thread) }
}
