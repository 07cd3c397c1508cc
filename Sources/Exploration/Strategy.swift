import Machine

/// A search method that decides a series of executions of a subject, one after the other.
package protocol Strategy: Chooser {
    /// Prepares the next execution. False: nothing is left to try, or the strategy cannot continue.
    ///
    /// - Parameter number: the execution's number, from 0. The strategy's choices depend on it and, if the strategy
    ///   learns, on earlier executions.
    func prepare(_ number: Int) -> Bool

    /// Runs the execution that was prepared.
    func execute(_ subject: any Subject) -> Verdict
}

extension Strategy {
    package func execute(_ subject: any Subject) -> Verdict { subject.execute(self) }
}

/// A strategy that detects when nothing is left to try.
package protocol ExhaustiveStrategy: Strategy {
    /// The number of different executions so far.
    var distinctCount: Int { get }

    /// Whether something was left out, so that having nothing left to try proves nothing.
    var isBounded: Bool { get }

    /// Why the search cannot continue. Nil: it can.
    var obstacle: Obstacle? { get }
}

extension PartialOrderSearch: ExhaustiveStrategy {
    package var distinctCount: Int { completeCount }
}

extension BoundedSearch: ExhaustiveStrategy {
    package var isBounded: Bool { !isComplete }
}

/// A strategy, and the observers of the executions that it decides.
package struct ObservedStrategy {
    let strategy: any Strategy
    let races = RaceWatch()
    let traces: TraceWatch?
    /// Set for a `RandomWalk` that may skip executions whose results are known.
    let known: KnownWalks?

    /// - Parameters:
    ///   - distinguishesTraces: whether executions are distinguished by their traces. Takes time at each step, and
    ///     every execution must then be run.
    ///   - known: the results of random walks of the subject with the strategy's seed.
    package init(_ strategy: any Strategy, distinguishesTraces: Bool, known: KnownWalks? = nil) {
        self.strategy = strategy
        traces = distinguishesTraces ? TraceWatch() : nil
        self.known = distinguishesTraces || !(strategy is RandomWalk) ? nil : known
    }

    var observers: [any Observer] { [races] + [traces].compactMap { $0 } }
}
