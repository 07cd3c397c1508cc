/// What a thread's code has come to.
package enum GraphPause: UInt8, Sendable, BitwiseCopyable {
    /// Its next operation.
    case operation
    case ended
    /// It cannot continue: an assertion has failed, or a claim does not hold.
    case failed
}

/// A subject whose executions can be searched as graphs.
package protocol GraphSearchable: Subject {
    func makeGraphSubject() -> any GraphSubject
}

/// A program whose threads run by themselves between their operations, and can be put back to where they were.
///
/// Threads are numbered from 0, the main thread, on: first those that exist from the beginning, then those that others start.
package protocol GraphSubject: AnyObject {
    var threadNumber: Int { get }
    /// The initial values of the objects, from number 1 on, and which of them have messages.
    var initialWords: [Int] { get }
    var haveMessages: [Bool] { get }
    /// What the objects are, and which of them have steps that are updates of their words (`ObjectWord`).
    var kinds: [ObjectState.Kind] { get }
    var areOrdered: [Bool] { get }

    /// By thread: the object through which others start and join it. 0: it exists from the beginning.
    var seats: [UInt32] { get }

    /// All threads are about to take their first operation.
    ///
    /// - Parameter graph: where the subject reads memory, when it is asked for it.
    func begin(_ graph: ExecutionGraph)

    /// The operation that the thread is about to take.
    func place(ofOperationOf thread: Int) -> UnsafeMutablePointer<Operation>

    /// The thread has taken its operation, with this result: it runs to the next.
    func complete(_ thread: Int, _ result: Int) -> GraphPause

    /// The thread's words, and the number of those that are in use.
    func words(of thread: Int) -> UnsafeMutablePointer<Int>
    func wordCount(of thread: Int) -> Int

    /// Whether a thread with these words would continue as with the others.
    func isSame(_ words: UnsafePointer<Int>, _ others: UnsafePointer<Int>, _ count: Int) -> Bool

    /// Whether the thread has begun another round of a loop that nothing counts, since this was asked last.
    func hasLooped(_ thread: Int) -> Bool
}
