/// The observers of a driver, in an order.
struct ObserverList {
    let all: [any Observer]
    let isEmpty: Bool

    init(_ all: [any Observer] = []) {
        self.all = all
        isEmpty = all.isEmpty
    }

    @inline(__always) func willStep(
        _ thread: Int, after last: Int, way: Int, _ ruling: Ruling, _ state: MachineState
    ) {
        for observer in all { observer.willStep(thread, after: last, way: way, ruling, state) }
    }

    func begin() { for observer in all { observer.begin() } }
    func end(_ verdict: Verdict, _ state: MachineState) { for observer in all { observer.end(verdict, state) } }
    func keep(_ number: Int) { for observer in all { observer.keep(number) } }
    func goBack(to number: Int) { for observer in all { observer.goBack(to: number) } }
}
