/// The observers of a driver, in an order.
///
/// A class with constants that are never nil, so that a step calls them without counting references: an array, or an optional,
/// would be counted.
final class ObserverList: @unchecked Sendable {
    let all: [any Observer]
    private let first: any Observer
    private let second: any Observer
    private let count: Int

    init(_ all: [any Observer] = []) {
        self.all = all
        count = all.count
        first = count > 0 ? all[0] : Nobody()
        second = count > 1 ? all[1] : Nobody()
    }

    @inline(never) func willStep(
        _ thread: Int, after last: Int, way: Int, _ ruling: Ruling, _ state: MachineState
    ) {
        first.willStep(thread, after: last, way: way, ruling, state)
        if count > 1 { second.willStep(thread, after: last, way: way, ruling, state) }
        if count > 2 { for observer in all[2...] { observer.willStep(thread, after: last, way: way, ruling, state) } }
    }

    func begin() { for observer in all { observer.begin() } }
    func end(_ verdict: Verdict, _ state: MachineState) { for observer in all { observer.end(verdict, state) } }
    func keep(_ number: Int) { for observer in all { observer.keep(number) } }
    func goBack(to number: Int) { for observer in all { observer.goBack(to: number) } }

    private final class Nobody: Observer {
        func begin() {}
        func willStep(_ thread: Int, after last: Int, way: Int, _ ruling: Ruling, _ state: MachineState) {}
    }
}
