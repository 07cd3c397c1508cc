import Machine

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
