/// A subject whose whole state can be written down and restored, so that a search can go from state to state instead of
/// repeating executions.
///
/// A state is written as components, each a sequence of words. Component 0 contains what threads share, component n + 1
/// what belongs to thread n. If all components of two states are equal, the states have the same possible futures.
package protocol StatefulSubject: Subject {
    /// The maximum number of threads of an execution.
    var mostThreads: Int { get }

    /// The maximum number of words of a component.
    var longestComponent: Int { get }

    /// Begins an execution and leaves it in the initial state.
    func beginStates()

    /// Whether some operation on an atomic is not sequentially consistent.
    var hasWeakOrders: Bool { get }

    /// How the execution ended with the last step. Nil: it continues.
    var verdict: Verdict? { get }

    /// Writes a component of the state, and returns the number of words.
    func encode(_ component: Int, into words: UnsafeMutablePointer<Int>) -> Int

    /// Restores a state from its components.
    func decode(_ components: UnsafePointer<UnsafePointer<Int>>)

    /// Whether restoring the present state from these components, into which it was written, gives the same state word
    /// for word. Leaves the subject in that state. For debug builds.
    func isRestored(from components: UnsafePointer<UnsafePointer<Int>>) -> Bool

    /// Remembers the present state.
    func mark()

    /// Goes back to the state that was remembered.
    func goBackToMark()

    /// Whether the last step may have changed the component of a thread other than the one that stepped.
    var hasChangedOthers: Bool { get }

    /// What the last step did to other threads. Meaningless if it ended the execution.
    var influence: Influence { get }

    /// The thread, which must be enabled, takes its step with the alternative `way`.
    func take(_ thread: Int, way: Int)

    /// Lets time pass although threads can step: the state must be quiet (`MachineState.isQuiet`), or in a cycle beside
    /// which a thread waits for time (`ClockWatch`).
    func passTime()

    /// Whether a thread may wait for time while others repeat themselves in a cycle.
    var mayPassTimeBesideOthers: Bool { get }

    /// Whether the thread's last step began another round of a loop without a counter. Every cycle of states contains
    /// such a step.
    func hasLooped(_ thread: Int) -> Bool

    /// Whether the thread made progress in its last step: it has done what it loops for.
    func hasProgressed(_ thread: Int) -> Bool

    /// Whether the program says where its threads make progress, or what must happen.
    var hasExpectations: Bool { get }

    /// Whether the thread, in the present state, should make progress again and again.
    func makesProgress(_ thread: Int) -> Bool

    /// Whether something that must happen has not happened yet.
    var isUnfulfilled: Bool { get }

    /// The threads that can be exchanged for each other in all states (symmetry): ranges of their numbers.
    var interchangeable: [Range<Int>] { get }

    /// Why other threads that run the same code cannot be exchanged: a sentence for each reason.
    var distinctions: [String] { get }

    /// Whether the thread's next step commutes with all that `other` can do before this thread steps, and `other`
    /// cannot enable it. Depends only on the components of the two threads, and on the number of the first.
    func isIndependent(_ thread: Int, of other: Int) -> Bool

    /// Whether the outcome of the last step was decided by steps that nothing orders before it: it found a lock taken,
    /// or a time limit passed. See `Act.findsOnlyOrdered`.
    var hasFoundUnordered: Bool { get }

    /// The thread's next step, for a picture of the states.
    func nextStepInWords(of thread: Int) -> String
    /// The source line of the thread's next step.
    func lineOfNextStep(of thread: Int) -> Int
    /// The values of memory in the present state, for the same picture.
    var memoryInWords: [String] { get }

    /// A number that distinguishes the places where executions with the same verdict end.
    var place: Int { get }

    /// Whether the program has counters: variables on whose value nothing that threads do depends.
    var hasCounters: Bool { get }
    /// Whether counters are zero after each `take`, so that a search for cycles does not distinguish their values.
    var forgetsCounters: Bool { get set }

    /// The `place` of an execution that ends in a cycle through the present state, without progress, in which these
    /// threads step.
    func placeOfCycle(_ threads: [Int]) -> Int
    /// The `place` of an execution that ends in a cycle through the present state in which these threads starve.
    func placeOfStarvation(_ threads: [Int]) -> Int
}
