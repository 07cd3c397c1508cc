import Machine
import Trace

/// A state of a program as people see it: with events, the program's numbers of threads, and lines as places.
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
        package var isTimed = false
        /// What the thread holds: an acquiring event for each hold.
        package var holds: [Event] = []
        package var line = 0
        package var variables: [ShownVariable] = []
        /// The alternatives of the next step, if it has several.
        package var ways: [Way] = []
    }

    /// One of several alternatives of a step.
    package enum Way: Hashable, Sendable {
        /// It wakes this thread.
        case wakes(Int)
        /// It chooses this number.
        case chooses(Int)
        /// Whether a weak compare-exchange that finds the expected value succeeds.
        case succeeds, fails
    }

    /// Two threads are about to access the same plain memory, and at least one of them to write it.
    package struct Race: Hashable, Sendable {
        package let first, second: Int
        package let object: Int
        package let firstWrites, secondWrites: Bool
    }

    package struct End: Sendable {
        package let kind: OutcomeKind
        /// What the program reported. Nil: nothing.
        package let message: String?
        package let line: Int
        /// The event of the step that was a misuse. Nil: none was.
        package let event: Event?
        /// The promised states that this state is.
        package let seen: Set<String>
    }

    package var threads: [Thread]
    /// All waiters, as far as known in the order of their arrival.
    package var waiters: [Int] = []
    /// By object: its value in words.
    package var values: [String?]
    package var races: [Race] = []
    package var end: End?
    /// Whether it is a state that must be reached.
    package var isGoal = false
}
