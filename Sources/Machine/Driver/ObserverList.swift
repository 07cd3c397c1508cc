/// The observers of a driver, in order.
///
/// A step calls the first one besides `races` through a constant that is never nil, so without reference counting, which
/// an array or an optional would cause.
final class ObserverList: @unchecked Sendable {
    let all: [any Observer]
    /// The first observer that looks for data races, which most searches have. The driver updates it itself.
    let races: RaceWatch?
    /// Whether there are observers other than `races`.
    let hasOthers: Bool
    /// The observers other than `races`, in order.
    private let others: [any Observer]
    /// The first of `others`, or an observer that does nothing.
    private let first: any Observer
    /// The number of `others`.
    private let count: Int
    let canGoBack: Bool

    init(_ all: [any Observer] = []) {
        self.all = all
        canGoBack = all.allSatisfy(\.canGoBack)
        let races = all.lazy.compactMap { $0 as? RaceWatch }.first
        self.races = races
        others = all.filter { $0 !== races }
        hasOthers = !others.isEmpty
        count = others.count
        first = others.first ?? IdleObserver()
    }

    /// Notifies all observers but `races`, which the driver calls itself.
    @inline(never) func willTake(_ step: NextStep) {
        first.willTake(step)
        if count > 1 { for observer in others[1...] { observer.willTake(step) } }
    }

    func begin() {
        races?.begin()
        if count > 0 { for observer in others { observer.begin() } }
    }

    func end(_ verdict: Verdict, _ state: MachineState) {
        // The observer of data races ignores the end.
        if count > 0 { for observer in others { observer.end(verdict, state) } }
    }

    func keep(_ number: Int) { for observer in all { observer.keep(number) } }
    func goBack(to number: Int) { for observer in all { observer.goBack(to: number) } }

    private final class IdleObserver: Observer {
        func begin() {}
        func willTake(_ step: NextStep) {}
        var canGoBack: Bool { true }
        func keep(_ number: Int) {}
        func goBack(to number: Int) {}
    }
}
