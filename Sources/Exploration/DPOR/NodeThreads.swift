/// What sixty-four of the threads can do at a node, a bit each.
struct NodeThreads: BitwiseCopyable {
    /// Those that can step.
    var enabled: UInt64 = 0
    /// Those of them that are in a wait and can leave it without a signal; and of these, the ones whose time limit has
    /// not passed.
    var leaving: UInt64 = 0
    var spurious: UInt64 = 0
    /// Those whose step touches nothing: the order of such steps never matters, so they go first.
    var free: UInt64 = 0
    /// Those whose step would leave their `await` where it is: they go last, when nothing else can be done.
    var failing: UInt64 = 0
    /// Those whose step has been tried already, here or earlier in an equivalent state: every execution that begins
    /// with it is known.
    var sleeping: UInt64 = 0
    /// Those whose step has been tried with some of its alternatives.
    var drowsy: UInt64 = 0

    /// The thread's bit in its element.
    @inline(__always) static func bit(_ thread: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: thread) }
}
