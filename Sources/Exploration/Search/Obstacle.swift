/// Why an exhaustive search cannot continue.
package enum Obstacle: Equatable, Sendable {
    /// At this choice, from 1, the program behaved differently than before under the same choices.
    case diverged(choice: Int)
    /// A step that was to be tried cannot be taken: the search or the rule that it used is wrong.
    case misjudged
    /// Time passes beside threads that repeat themselves, at other moments in other orders of independent steps.
    case time
}

extension Obstacle: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .diverged(let choice):
            "the program behaves differently under the same choices, from choice \(choice) on"
        case .misjudged: "the search planned a step that cannot be taken"
        case .time: "a thread waits for time beside threads that repeat themselves"
        }
    }
}
