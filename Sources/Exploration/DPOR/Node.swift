/// A state of the present execution, from which other executions branch off. A `NodeThreadTable` holds what its threads
/// can do.
struct Node: BitwiseCopyable {
    /// The range, in the search's list, of the accesses of sleeping and partially asleep (*drowsy*) threads.
    var firstSleeper: Int32
    var endOfSleepers: Int32
    /// What is to be tried here; −1: nothing so far.
    var tree: Int32 = -1
    /// Whether the thread that steps here has ended the run with another alternative of its step, or might elsewhere.
    var mayEnd = false
}
