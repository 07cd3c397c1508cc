/// A subject whose whole state can be written down and restored: it can be searched by its states.
///
/// A state is written as components, each a row of words: component 0 is shared, component n + 1 belongs to thread n.
/// Equal components mean equal states, with equal futures.
package protocol StatefulSubject: Subject {
    /// The maximum number of threads of an execution.
    var mostThreads: Int { get }

    /// The maximum number of words of a component.
    var longestComponent: Int { get }

    /// Whether stores wait in buffers, from state to state: then `flush` is a move, too. Only under tso.
    var usesStoreBuffers: Bool { get set }

    /// The oldest store in the thread's buffer reaches memory.
    func flush(_ thread: Int)

    /// The same as a part of the thread's next step, or of another's, which waits for it.
    func drain(_ thread: Int)

    /// Begins an execution: the state is then the initial one.
    func beginStates()

    /// Whether some operation on an atomic is not sequentially consistent.
    var hasWeakOrders: Bool { get }

    /// How the execution ended with the last step. Nil: it continues.
    var verdict: Verdict? { get }

    /// Writes a component of the state, and returns the number of words.
    func encode(_ component: Int, into words: UnsafeMutablePointer<Int>) -> Int

    /// Restores a state from its components.
    func decode(_ components: UnsafePointer<UnsafePointer<Int>>)

    /// Whether the present state, which was written into these components, is restored from them word for word. It is the
    /// present one afterwards. For debug builds.
    func isRestored(from components: UnsafePointer<UnsafePointer<Int>>) -> Bool

    /// Remembers the present state.
    func mark()

    /// Goes back to the state that was remembered.
    func goBackToMark()

    /// Whether the last step may have changed the component of a thread other than the one that stepped.
    var hasChangedOthers: Bool { get }

    /// What the last step did to other threads. Meaningless if it ended the execution.
    var influence: Influence { get }

    /// The thread takes its step, which must be enabled, in one of its ways.
    func take(_ thread: Int, way: Int)

    /// Lets time pass in a state in which threads can step: one that is quiet (`MachineState.isQuiet`), or one of a cycle in which a
    /// thread waits for time (`ClockWatch`).
    func passTime()

    /// Whether there may be such cycles.
    var mayPassTimeBesideOthers: Bool { get }

    /// Whether the thread's last step began another round of a loop that nothing counts. Every cycle of states contains
    /// such a step.
    func hasLooped(_ thread: Int) -> Bool

    /// Whether the thread has done in its last step what it loops for.
    func hasProgressed(_ thread: Int) -> Bool

    /// Whether the program says where its threads make progress, or what must happen.
    var hasExpectations: Bool { get }

    /// Whether the thread is to make progress again and again, in the present state.
    func makesProgress(_ thread: Int) -> Bool

    /// Whether something that must happen has not happened yet.
    var isUnfulfilled: Bool { get }

    /// The threads that can be exchanged for each other: ranges of their numbers, in all states.
    var interchangeable: [Range<Int>] { get }

    /// The reasons why other threads that run the same code cannot be exchanged, a sentence each.
    var distinctions: [String] { get }

    /// Whether the thread's next step commutes with everything that the other one can do before this thread steps, and the
    /// other one cannot enable it. Depends only on the components of the two threads,
    /// and on the number of the first.
    func isIndependent(_ thread: Int, of other: Int) -> Bool

    /// Whether the last step found something that was decided by steps which nothing orders before it: a lock that was
    /// taken, a time limit that has passed. See `RaceCandidates`.
    var hasFoundUnordered: Bool { get }

    /// The thread's next step, and the values of memory, for a picture.
    func nextStepInWords(of thread: Int) -> String
    /// Its line of source.
    func lineOfNextStep(of thread: Int) -> Int
    var memoryInWords: [String] { get }

    /// A number that distinguishes the places where executions with the same verdict end.
    var place: Int { get }

    /// Whether some words only count. In a search for cycles they can be forgotten: then they are zero in each state that `take` leads to.
    var hasCounters: Bool { get }
    var forgetsCounters: Bool { get set }

    /// `place`, if the execution ends in a cycle without progress through the present state, in which these threads step; or in one in which
    /// these threads starve.
    func placeOfCycle(_ threads: [Int]) -> Int
    func placeOfStarvation(_ threads: [Int]) -> Int
}
