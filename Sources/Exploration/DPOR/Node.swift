/// A state of the present execution, from which other executions branch off. A `NodeThreadTable` holds what its threads
/// can do.
struct Node: BitwiseCopyable {
    /// The range, in `Memory.sleepers`, of the accesses of sleeping and partially asleep (*drowsy*) threads.
    var firstSleeper: Int32
    var endOfSleepers: Int32
    /// The first branch of the node's wakeup tree, which contains what is still to be tried here; −1: nothing.
    var tree: Int32 = -1
    /// Whether the node's step, with an alternative tried earlier, has ended the run or may end it in another state.
    var mayEnd = false
    /// Whether a thread could step here, but has to wait because of the part's orders (`OrderWatch`).
    var holdsThreadBack = false
}
