/// A state of the execution that is being looked at, from which other executions branch off. What its threads can do, a
/// `NodeThreadTable` says.
struct Node: BitwiseCopyable {
    /// Where what the sleeping and the drowsy ones would touch stands in the search's list, and where it ends.
    var firstSleeper: Int32
    var endOfSleepers: Int32
    /// What is to be tried here; −1: nothing that is known yet.
    var tree: Int32 = -1
}
