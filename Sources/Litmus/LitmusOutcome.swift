import CLitmus

/// How a round, which is one execution of the program on real threads, ended.
package enum Ending: String, CaseIterable, Sendable {
    case completed
    /// Threads wait for what no thread will do.
    case deadlock
    /// The round was given up, because a loop took too long. Nothing can be concluded from that.
    case unfinished
    case misuse, error, assertion

    init(_ ending: clitmus_ending) {
        switch ending {
        case CLITMUS_BLOCKED: self = .deadlock
        case CLITMUS_UNFINISHED: self = .unfinished
        case CLITMUS_MISUSE: self = .misuse
        case CLITMUS_ERROR: self = .error
        case CLITMUS_ASSERTION: self = .assertion
        case CLITMUS_COMPLETED: self = .completed
        default: preconditionFailure("a round has no such ending")
        }
    }
}

/// The outcome of a round: how it ended and, if it completed, the values of `LitmusProgram.observed` at its end.
package struct LitmusOutcome: Hashable, Sendable {
    package let ending: Ending
    package let values: [Int]

    package init(_ ending: Ending, _ values: [Int] = []) {
        self.ending = ending
        self.values = ending == .completed ? values : []
    }
}

/// How often each outcome occurred in a run.
package struct Histogram: Sendable {
    package struct Row: Sendable {
        package let outcome: LitmusOutcome
        package let count: Int

        package init(_ outcome: LitmusOutcome, count: Int) {
            self.outcome = outcome
            self.count = count
        }
    }

    /// In descending order of counts.
    package let rows: [Row]
    /// The number of rounds with outcomes for which the table had no room.
    package let others: Int

    package init(_ rows: [Row], others: Int = 0) {
        // The counts are compared in reverse, for descending order. Equal ones are ordered by ending and values.
        self.rows = rows.sorted {
            let (one, other) = (($1.count, $0.outcome.ending.rawValue), ($0.count, $1.outcome.ending.rawValue))
            return one == other ? $0.outcome.values.lexicographicallyPrecedes($1.outcome.values) : one < other
        }
        self.others = others
    }

    package var rounds: Int { rows.reduce(others) { $0 + $1.count } }
}
