import Machine

/// Every schedule, one execution after the other: depth first, changing the last choice that has another alternative.
final class ExhaustiveChooser: Chooser {
    private var taken: [(way: Int, of: Int)] = []
    private var depth = 0

    func begin() { depth = 0 }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        enabled[choose(of: enabled.count)]
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? { choose(of: count) }

    /// Prepares the next schedule. False: there is none left.
    func advance() -> Bool {
        while let last = taken.popLast() {
            if last.way + 1 < last.of {
                taken.append((last.way + 1, last.of))
                return true
            }
        }
        return false
    }

    private func choose(of count: Int) -> Int {
        if depth == taken.count { taken.append((0, count)) }
        depth += 1
        precondition(taken[depth - 1].of == count, "the same choices led elsewhere: the program is not deterministic")
        return taken[depth - 1].way
    }
}
