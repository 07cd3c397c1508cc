import Machine

/// A strategy, and the observers of the executions that it decides.
package struct ObservedStrategy {
    let strategy: any Strategy
    let races = RaceWatch()
    let traces: TraceWatch?

    /// - Parameter distinguishesTraces: whether executions are distinguished by their traces, which takes time at each
    ///   step.
    package init(_ strategy: any Strategy, distinguishesTraces: Bool) {
        self.strategy = strategy
        traces = distinguishesTraces ? TraceWatch() : nil
    }

    var observers: [any Observer] { [races] + [traces].compactMap { $0 } }
}
