/// Where a thread's code has stopped.
package enum GraphPause: UInt8, Sendable, BitwiseCopyable {
    /// Before its next operation.
    case operation
    /// At its end.
    case ended
    /// Where it cannot continue: an assertion has failed, or a claim does not hold.
    case failed
}

/// A subject whose executions can be searched as graphs.
package protocol GraphSearchable: Subject {
    func makeGraphSubject() -> any GraphSubject
}

/// The threads of a program, for a search of graphs (`GraphSearch`). The search decides what each operation returns;
/// the subject runs the thread's code from there to the next operation. A thread can also be put back to an earlier
/// point.
///
/// Thread 0 is the main thread. The threads that exist from the beginning come next, then those that others start.
package protocol GraphSubject: AnyObject {
    var threadCount: Int { get }
    /// By object, from number 1 on: its initial value.
    var initialWords: [Int] { get }
    /// By object: whether it has messages (`ExecutionGraph`).
    var haveMessages: [Bool] { get }
    /// By object.
    var kinds: [ObjectState.Kind] { get }
    /// By object: whether steps on it are updates of its word (`ObjectWord`).
    var areOrdered: [Bool] { get }

    /// By thread: the object through which others start and join it. 0: it exists from the beginning.
    var seats: [UInt32] { get }

    /// Puts all threads before their first operation.
    ///
    /// - Parameter graph: where the subject reads memory, for example to judge a claim at the end.
    func begin(_ graph: ExecutionGraph)

    /// The operation that the thread is about to take.
    func place(ofOperationOf thread: Int) -> UnsafeMutablePointer<Operation>

    /// Runs the thread, whose operation has returned this result, to its next operation.
    func complete(_ thread: Int, _ result: Int) -> GraphPause

    /// The words that make up the thread's state. Writing words back that were copied before puts the thread back.
    func words(of thread: Int) -> UnsafeMutablePointer<Int>
    /// The number of these words that are in use.
    func wordCount(of thread: Int) -> Int

    /// Whether a thread with these words would continue as with the others.
    func isSame(_ words: UnsafePointer<Int>, _ others: UnsafePointer<Int>, _ count: Int) -> Bool

    /// Whether the thread has begun another round of a loop without a counter since the last call.
    func hasLooped(_ thread: Int) -> Bool
}
