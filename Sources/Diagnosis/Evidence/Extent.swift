/// How much of all that a program can do some runs have shown.
package enum Extent: Equatable, Sendable {
    /// All of it: so many traces. `passesTime`: as far as time passes only when nobody can do anything else.
    case all(traces: Int, passesTime: Bool)
    /// Not all, or nobody knows.
    case part(Limit)

    /// Why there were no more runs, or why more would not have shown all.
    package enum Limit: String, Sendable {
        /// There were as many as were asked for.
        case runs
        case time
        /// All that was expected was seen, and then nothing new for long.
        case noNews = "no-news"
        /// Executions were cut off after so many steps.
        case steps
        /// The program ended its process again and again.
        case fatalEnds = "fatal-ends"
        /// The search that could have shown all had to give up.
        case obstacle
        /// A search does not look at the order in which locks are taken, which decides how the program ends.
        case lockOrder = "lock-order"
    }
}
