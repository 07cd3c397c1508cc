import Machine
import Trace

/// A state of a program as people see it: in events, with threads by the program's numbers and lines as places.
package struct ShownState: Sendable {
    package enum Life: Sendable { case absent, alive, ended }

    package struct Thread: Sendable {
        package var life = Life.absent
        /// Whether it can take its next step.
        package var canStep = false
        /// The event of its next step. Nil: no event describes it.
        package var next: Event?
        /// The same step in a few words.
        package var nextInWords = ""
        /// The event with which it began to wait. Nil: it does not wait for another thread or for time.
        package var wait: Event?
        package var isTimed = false
        /// What it holds: an event of its taking for each time that it has been taken.
        package var holds: [Event] = []
        package var line = 0
        package var variables: [ShownVariable] = []
        /// If its step has several ways: what each of them is.
        package var ways: [Way] = []
    }

    /// One of several ways of a step.
    package enum Way: Hashable, Sendable {
        /// It wakes this thread.
        case wakes(Int)
        /// It chooses this number.
        case chooses(Int)
        /// A weak compare-exchange that finds the expected value.
        case succeeds, fails
    }

    /// Two threads are about to access the same plain memory, and at least one of them writes it.
    package struct Race: Hashable, Sendable {
        package let first, second: Int
        package let object: Int
        package let firstWrites, secondWrites: Bool
    }

    /// How the execution ended.
    package struct End: Sendable {
        package let kind: OutcomeKind
        /// What the program reported, and where. Nil: nothing.
        package let message: String?
        package let line: Int
        /// The step that was a misuse. Nil: none was.
        package let event: Event?
        /// Which of the promised states it is.
        package let seen: Set<String>
    }

    package var threads: [Thread]
    /// The waiters for anything, in the order in which they are known to have come.
    package var waiters: [Int] = []
    /// By object: its value in words.
    package var values: [String?]
    package var races: [Race] = []
    package var end: End?
    /// Whether it is a state that is to be reached.
    package var isGoal = false
}
