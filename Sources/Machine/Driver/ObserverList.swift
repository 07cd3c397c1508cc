/// The observers of a driver, in order.
///
/// A class with constants that are never nil, so that a step calls them without counting references: an array, or an
/// optional, would be counted.
final class ObserverList: @unchecked Sendable {
    let all: [any Observer]
    private let first: any Observer
    private let second: any Observer
    private let count: Int
    let canGoBack: Bool

    init(_ all: [any Observer] = []) {
        self.all = all
        count = all.count
        canGoBack = all.allSatisfy(\.canGoBack)
        first = count > 0 ? all[0] : Nobody()
        second = count > 1 ? all[1] : Nobody()
    }

    @inline(__always) private func forEach(_ body: (any Observer) -> Void) {
        body(first)
        if count > 1 { body(second) }
        if count > 2 { for observer in all[2...] { body(observer) } }
    }

    @inline(never) func willTake(_ step: NextStep) { forEach { $0.willTake(step) } }
    func begin() { forEach { $0.begin() } }
    func end(_ verdict: Verdict, _ state: MachineState) { forEach { $0.end(verdict, state) } }
    func keep(_ number: Int) { forEach { $0.keep(number) } }
    func goBack(to number: Int) { forEach { $0.goBack(to: number) } }

    private final class Nobody: Observer {
        func begin() {}
        func willTake(_ step: NextStep) {}
        var canGoBack: Bool { true }
        func keep(_ number: Int) {}
        func goBack(to number: Int) {}
    }
}
