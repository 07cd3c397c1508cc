/// Why an exhaustive search cannot continue.
package enum Obstacle: Equatable, Sendable {
    /// At this choice, from 1, the program did something else than under the same choices before.
    case diverged(choice: Int)
    /// A step that was to be tried cannot be taken: the search is mistaken, or the rule that told it so.
    case misjudged
}

extension Obstacle: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .diverged(let choice):
            "the program does not do the same under the same choices: at choice \(choice) it differs"
        case .misjudged: "the search planned a step that cannot be taken"
        }
    }
}
