/// A state of the execution that is being looked at, from which other executions branch off.
struct Node: BitwiseCopyable {
    /// The threads that can step, a bit each.
    var enabled: UInt64
    /// Those of them that are in a wait, and can leave it though nobody woke them; and those of these whose time has not run out.
    var leaving: UInt64 = 0
    var spurious: UInt64 = 0
    /// Those whose step touches nothing: in what order they are taken never matters, so they go first.
    var free: UInt64 = 0
    /// Those whose step has been tried already, here or before in the same state of affairs: whatever begins with it is known.
    var sleeping: UInt64
    /// Those whose step has been tried in some of the ways that it can go.
    var drowsy: UInt64
    /// Where what the sleeping and the drowsy ones would touch stands in the search's list, and where it ends.
    var firstSleeper: Int32
    var endOfSleepers: Int32
    /// What is to be tried here; −1: nothing that is known yet.
    var tree: Int32 = -1
}

/// A thing that a sleeping or drowsy thread's step touches; 0: none.
struct SleepingAccess: BitwiseCopyable {
    var thread: UInt16
    var isWrite: Bool
    var thing: Int32
    /// Of a drowsy one: the ways that have been tried, a bit each.
    var ways: UInt64 = 0
}
