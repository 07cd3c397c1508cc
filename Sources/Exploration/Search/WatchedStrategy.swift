/// A strategy with watches around it, which see each step that it chooses.
package struct WatchedStrategy {
    let strategy: any Strategy
    let races: RaceWatch
    let traces: TraceWatch?
    /// The outermost: whom to ask for executions.
    let whole: any Strategy

    /// - Parameter tellsTraces: whether executions are told apart by their traces. That takes time at each step.
    package init(_ strategy: any Strategy, tellsTraces: Bool) {
        self.strategy = strategy
        races = RaceWatch(strategy)
        traces = tellsTraces ? TraceWatch(races) : nil
        whole = traces ?? races
    }
}
