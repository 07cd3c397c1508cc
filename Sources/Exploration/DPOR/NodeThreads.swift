/// What sixty-four of the threads can do at a node, a bit each.
struct NodeThreads: BitwiseCopyable {
    /// Those that can step.
    var enabled: UInt64 = 0
    /// Those of them that are in a wait, and can leave it without a signal; and those of these whose time has not run out.
    var leaving: UInt64 = 0
    var spurious: UInt64 = 0
    /// Those whose step touches nothing: in what order they are taken never matters, so they go first.
    var free: UInt64 = 0
    /// Those whose step has been tried already, here or before in the same state of affairs: whatever begins with it is known.
    var sleeping: UInt64 = 0
    /// Those whose step has been tried in some of the ways that it can go.
    var drowsy: UInt64 = 0

    /// The thread's bit, among those of its sixty-four.
    @inline(__always) static func bit(_ thread: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: thread) }
}
