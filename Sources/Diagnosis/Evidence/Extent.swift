/// How much of a program's possible behavior the runs have covered.
package enum Extent: Equatable, Sendable {
    /// All of it, if these premises hold.
    case all(Explored, Premises)
    /// Only a part of it, or an unknown part.
    case part(Limit)

    /// Why there were no more runs, or why more runs would not have covered everything.
    package enum Limit: String, Sendable {
        /// The requested number of runs was reached.
        case runs
        case time
        /// The search's process exceeded its memory limit.
        case memory
        /// All expected outcomes were seen, and then nothing new for a long time.
        case noNews = "no-news"
        /// Executions were cut off at the step limit.
        case steps
        /// Everything was tried without spurious wake-ups, but not with one.
        case spurious
        /// Everything was tried under sequential consistency, but not what the program's own memory orders allow.
        case weakOrders = "weak-orders"
        /// The program ended its process too often.
        case fatalEnds = "fatal-ends"
        /// The search that could have covered everything was abandoned.
        case obstacle
        /// The prover for the program's memory model does not support a part of the program, such as one of its
        /// operations.
        case noProver = "no-prover"
        /// Everything within a bound of memory or of the strategy was tried; or states may have been missed because of
        /// equal hashes.
        case bound
        /// Not everything that the program did was the scheduler's choice.
        case uncontrolled
        /// A search does not check the order of locks, which decides how this program ends.
        case lockOrder = "lock-order"
    }
}
