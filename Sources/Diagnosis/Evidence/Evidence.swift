import Trace

/// What a number of runs of one program showed.
package struct Evidence: Equatable, Sendable {
    /// The runs that had one outcome.
    package struct Sighting: Equatable, Sendable {
        package var count: Int
        /// Of the first of them.
        package var outcome: Outcome
        /// Of the first of them. Nil on real threads.
        package var seed: UInt64?

        package init(count: Int, outcome: Outcome, seed: UInt64? = nil) {
            self.count = count
            self.outcome = outcome
            self.seed = seed
        }
    }

    package var runtime: TraceHeader.Runtime
    /// How many runs there are.
    package var runs: Int
    /// How many there should have been. Time may have run out before.
    package var wantedRuns: Int
    /// One for each outcome that was seen, in the order of `OutcomeKind`.
    package var sightings: [Sighting]
    /// By sought state (`Runnable.soughtStates`): how many runs ended in it.
    package var states: [Int]

    package init(
        _ runtime: TraceHeader.Runtime, runs: Int, of wantedRuns: Int, sightings: [Sighting] = [], states: [Int] = []
    ) {
        self.runtime = runtime
        self.runs = runs
        self.wantedRuns = wantedRuns
        self.sightings = sightings
        self.states = states
    }

    /// How many runs had the outcome.
    package func count(of kind: OutcomeKind) -> Int { sightings.first { $0.outcome.kind == kind }?.count ?? 0 }
}
