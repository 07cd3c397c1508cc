import Machine

/// Memory for the footprint of one step, which is reused for the footprints of further steps.
///
/// The structure is a handle: its creator must call `deallocate()`. Its methods change the memory, never the handle, so
/// that the hot loop needs no exclusivity checks.
struct StepFootprint {
    private struct Header {
        var accesses: UnsafeMutablePointer<Access>
        var count = 0
        var capacity: Int
    }

    private let header: UnsafeMutablePointer<Header>

    init() {
        let capacity = 8
        header = .allocate(capacity: 1)
        header.initialize(to: Header(accesses: .allocate(capacity: capacity), capacity: capacity))
    }

    func deallocate() {
        header.pointee.accesses.deallocate()
        header.deallocate()
    }

    /// What the step touches.
    @inline(__always) var accesses: UnsafeBufferPointer<Access> {
        UnsafeBufferPointer(start: header.pointee.accesses, count: header.pointee.count)
    }

    /// Loads the footprint of the thread's next step, if taken now.
    @inline(__always) func fill(with thread: Int, _ state: MachineState) {
        if state.longestFootprint > header.pointee.capacity { grow(to: state.longestFootprint * 2) }
        header.pointee.count = state.footprint(of: thread, into: header.pointee.accesses)
    }

    /// Loads the footprint of a step whose ruling is known.
    @inline(__always) func fill(with step: NextStep) {
        let longest = step.state.longestFootprint
        if longest > header.pointee.capacity { grow(to: longest * 2) }
        header.pointee.count = step.state.footprint(of: step.ruling, by: step.thread, into: header.pointee.accesses)
    }

    private func grow(to capacity: Int) {
        header.pointee.accesses.deallocate()
        header.pointee.accesses = .allocate(capacity: capacity)
        header.pointee.capacity = capacity
    }

    /// Whether two steps of different threads depend on each other.
    @inline(__always) func conflicts(with other: Self) -> Bool {
        for mine in accesses {
            for its in other.accesses where mine.thing == its.thing && (mine.isWrite || its.isWrite) { return true }
        }
        return false
    }
}
