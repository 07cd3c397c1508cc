/// A state of the present execution, from which other executions branch off. A `NodeThreadTable` holds what its threads
/// can do.
struct Node: BitwiseCopyable {
    /// The range, in the search's list, of the accesses of sleeping and partially asleep (*drowsy*) threads.
    var firstSleeper: Int32
    var endOfSleepers: Int32
    /// The wakeup tree: what is to be tried at this node; −1: nothing so far.
    var tree: Int32 = -1
    /// Whether the step tried here has ended the run with another of its alternatives, or might do so from other
    /// states.
    var mayEnd = false
}
