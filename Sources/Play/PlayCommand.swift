/// What a person can ask for.
package enum PlayCommand: Equatable, Sendable {
    package enum Target: Equatable, Sendable {
        case position(Int)
        case bookmark(String)
    }

    /// Which thread steps while the run continues by itself.
    package enum Strategy: Equatable, Sendable {
        case byDefault
        case random(seed: UInt64)
    }

    /// What ends a run that continues by itself.
    package enum Stop: Equatable, Sendable {
        case end, finding
        /// An event whose name contains this word.
        case event(String)
        case line(Int)
    }

    /// - way: which of the step's alternatives is taken.
    case step(thread: String, way: Int?)
    /// An answer to a question.
    case answer([Int])
    case forward(Int)
    case back(Int)
    case goTo(Target)
    case start, end
    case run(Strategy, until: Stop)
    case why(thread: String)
    case hint
    case predict(Bool?)
    case bookmark(String?)
    case bookmarks
    case schedule, state, source, lanes, trace, help, quit
}
