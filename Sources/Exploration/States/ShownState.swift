import Machine
import Trace

/// A state of a program, described for people: steps are events with source lines, and threads have the program's
/// numbers (`ShownSubject`).
package struct ShownState: Sendable {
    package enum Life: Sendable { case absent, alive, ended }

    package struct Thread: Sendable {
        package var life = Life.absent
        /// Whether the thread can take its next step.
        package var canStep = false
        /// The event of the next step. Nil: no event describes it.
        package var next: Event?
        package var nextInWords = ""
        /// The event with which the thread began to wait. Nil: it does not wait for another thread or for time.
        package var wait: Event?
        /// Whether that wait has a time limit.
        package var isTimed = false
        /// The locks that the thread holds: for each hold, an event that acquires it.
        package var holds: [Event] = []
        package var line = 0
        package var variables: [ShownVariable] = []
        /// The alternatives of the next step, if it has several.
        package var ways: [Way] = []
    }

    /// One of several alternatives of a step.
    package enum Way: Hashable, Sendable {
        /// The step wakes this thread.
        case wakes(Int)
        /// The step chooses this number.
        case chooses(Int)
        /// A weak compare-exchange that finds the expected value succeeds, or fails spuriously.
        case succeeds, fails
    }

    /// Two threads are about to access the same plain memory, and at least one of them to write it.
    package struct Race: Hashable, Sendable {
        /// The two threads.
        package let first, second: Int
        package let object: Int
        package let firstWrites, secondWrites: Bool
    }

    /// How an execution ends in the state.
    package struct End: Sendable {
        package let kind: OutcomeKind
        /// What the program reported. Nil: nothing.
        package let message: String?
        package let line: Int
        /// The event of the step that was a misuse. Nil: none was.
        package let event: Event?
        /// The final states promised by the program that this state matches, as texts.
        package let seen: Set<String>
    }

    /// By the program's number of a thread.
    package var threads: [Thread]
    /// All threads that wait, in the order of their arrival as far as that is known.
    package var waiters: [Int] = []
    /// By object: its value in words.
    package var values: [String?]
    package var races: [Race] = []
    /// Nil: the execution continues.
    package var end: End?
    /// Whether the state is one that must be reached.
    package var isGoal = false
}
