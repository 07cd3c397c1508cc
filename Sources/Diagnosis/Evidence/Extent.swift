/// How much of a program's possible behavior the runs have covered.
package enum Extent: Equatable, Sendable {
    /// All of it that there is under these premises.
    case all(Explored, Premises)
    /// Only part of it, or unknown.
    case part(Limit)

    /// Why there were no more runs, or why more runs would not have covered everything.
    package enum Limit: String, Sendable {
        /// The requested number of runs was reached.
        case runs
        case time
        /// The process of the search needed more than it may have.
        case memory
        /// Everything expected was seen, and then nothing new for a long time.
        case noNews = "no-news"
        /// Executions were cut off at the step limit.
        case steps
        /// Without spurious wake-ups everything was tried, with one it was not.
        case spurious
        /// Everything was tried under sequential consistency; under what the program's own memory orders allow it was not.
        case weakOrders = "weak-orders"
        /// The program ended its process too often.
        case fatalEnds = "fatal-ends"
        /// The search that could have covered everything was abandoned.
        case obstacle
        /// The program has something that the prover of its memory model cannot take.
        case noProver = "no-prover"
        /// Everything was tried that a bound allows: of memory, of spurious wake-ups, or the strategy's own.
        case bound
        /// Not all that the program did was the scheduler's choice.
        case uncontrolled
        /// A search does not check the order of locks, which decides how this program ends.
        case lockOrder = "lock-order"
    }
}
