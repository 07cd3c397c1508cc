/// An operation that is timed, done by several contenders in turn, so that other load on the machine affects all equally.
struct TimedCost {
    struct Contender {
        let name: String
        /// Does it this many times, and returns the time in nanoseconds.
        let time: (_ count: Int) throws -> UInt64
    }

    let name: String
    /// The number of operations in a round.
    let count: Int
    /// The number of operations in one repetition.
    var operations = 1
    var guide: String?
    let contenders: [Contender]

    private static let rounds = 7

    /// Medians of the rounds.
    func measure() throws -> CostRow {
        var times = [[Double]](repeating: [], count: contenders.count)
        // The first round warms up.
        for round in 0...Self.rounds {
            for (index, contender) in contenders.enumerated() {
                let time = Double(try contender.time(count)) / Double(count * operations)
                if round > 0 { times[index].append(time) }
            }
        }
        let figures = zip(contenders, times).map { contender, times in
            CostRow.Figure(contender: contender.name, value: times.sorted()[times.count / 2])
        }
        return CostRow(name: name, unit: .nanoseconds, figures: figures, guide: guide)
    }
}
