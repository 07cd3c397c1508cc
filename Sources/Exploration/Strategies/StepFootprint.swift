import Machine

/// Room for what one step touches. Whoever makes one ends it with `deallocate()`.
struct StepFootprint {
    private(set) var accesses = UnsafeMutablePointer<Access>.allocate(capacity: 8)
    private(set) var count = 0
    private var capacity = 8

    func deallocate() { accesses.deallocate() }

    /// Takes in the thread's next step, if it is taken now.
    @inline(__always) mutating func fill(with thread: Int, _ state: MachineState) {
        if state.longestFootprint > capacity { grow(to: state.longestFootprint * 2) }
        count = state.footprint(of: thread, into: accesses)
    }

    private mutating func grow(to capacity: Int) {
        accesses.deallocate()
        accesses = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    /// Whether the steps, of different threads, depend on each other.
    @inline(__always) func conflicts(with other: Self) -> Bool {
        for i in 0..<count {
            for j in 0..<other.count where accesses[i].thing == other.accesses[j].thing {
                if accesses[i].isWrite || other.accesses[j].isWrite { return true }
            }
        }
        return false
    }
}
