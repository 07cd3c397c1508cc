import Machine

/// A method of searching: decides a whole series of executions of a subject.
package protocol Strategy: Chooser {
    /// Prepares the next execution. False: it has tried all.
    ///
    /// - Parameter number: of the execution, from 0. Its choices depend on this number and, if the strategy learns, on
    ///   earlier executions.
    func prepare(_ number: Int) -> Bool

    /// Runs the execution that was prepared.
    func execute(_ subject: any Subject) -> Verdict
}

extension Strategy {
    package func execute(_ subject: any Subject) -> Verdict { subject.execute(self) }
}

/// A strategy that detects when nothing is left to try.
package protocol ExhaustiveStrategy: Strategy {
    /// The number of its executions so far that differ in what it distinguishes.
    var distinctCount: Int { get }

    /// Whether something was left out, so that trying the rest proves nothing.
    var isBounded: Bool { get }

    /// Why the search cannot continue, if it cannot.
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
    /// For a `RandomWalk` whose executions need not all be run.
    let known: KnownWalks?

    /// - Parameters:
    ///   - distinguishesTraces: whether executions are distinguished by their traces, which takes time at each step,
    ///     and requires that each is run.
    ///   - known: what random walks with the strategy's seed have shown of the subject.
    package init(_ strategy: any Strategy, distinguishesTraces: Bool, known: KnownWalks? = nil) {
        self.strategy = strategy
        traces = distinguishesTraces ? TraceWatch() : nil
        self.known = distinguishesTraces || !(strategy is RandomWalk) ? nil : known
    }

    var observers: [any Observer] { [races] + [traces].compactMap { $0 } }
}
