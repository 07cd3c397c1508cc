/// Finds the data races of executions, by the order that synchronization gives to their steps (after FastTrack:
/// Flanagan and Freund, PLDI 2009). It finds what `RaceDetector` finds in the same execution's trace.
///
/// Until a program has a plain cell, it only checks at each step whether there is one: steps before the first access of
/// a cell cannot order that access with a later one.
package final class RaceWatch: Observer {
    /// Behind a pointer, because a class's variables are checked for exclusive access at each use. The driver also uses
    /// it directly.
    let clocks = UnsafeMutablePointer<RaceClocks>.allocate(capacity: 1)
    @exclusivity(unchecked) private var kept: [RaceClocks] = []

    package init() { clocks.initialize(to: RaceClocks()) }

    deinit {
        clocks.pointee.deallocate()
        clocks.deallocate()
        for state in kept { state.deallocate() }
    }

    /// Each cell's first race in this execution, in the order in which they were found.
    package var races: [DataRace] { clocks.pointee.races.pointee }

    package var firstRace: DataRace? { clocks.pointee.hasRaces ? races.first : nil }

    package func begin() { clocks.pointee.reset() }

    package func willTake(_ step: NextStep) {
        if !step.state.hasCells { return }
        clocks.pointee.follow(step.ruling.act, step.operation, step.thread, last: step.last, step.state)
    }

    /// Adds all that decides which races later steps show and how races are reported.
    ///
    /// - Parameter last: the thread that took the step before.
    package func hashKnowledge(into hash: inout StateHash, _ state: MachineState, last: Int) {
        if state.hasCells { clocks.pointee.hashKnowledge(into: &hash, state, last: last) }
    }

    // MARK: - Going back

    package var canGoBack: Bool { true }

    package func keep(_ number: Int) {
        while kept.count <= number { kept.append(RaceClocks()) }
        kept[number].copy(from: clocks.pointee)
    }

    package func goBack(to number: Int) { clocks.pointee.copy(from: kept[number]) }
}
