import Machine

/// How a step can close a cycle of waiting threads, packed into one word: either its thread will wait for other threads
/// with its next operation, such as a lock or a join, or the step was a signal, whose waiter then waits for its mutex.
///
/// A search stores this for a step that it has tried, to find out later where the step would end the run in a deadlock
/// (`MachineState.closesCycle`).
struct Announcement: BitwiseCopyable {
    /// Bits 56 to 63: the kind of the next operation, or `yield` if only a signal matters; 28 to 55: its first
    /// argument; 0 to 27: its object. 0: the step can close no cycle.
    let word: UInt64

    init() { word = 0 }
    init(word: UInt64) { self.word = word }

    /// - Parameters:
    ///   - thread: the thread that has taken the step.
    ///   - step: the kind of the step.
    ///   - state: the machine after the step.
    @inline(__always) init(of thread: Int, after step: Operation.Kind, _ state: MachineState) {
        let next = state.operation(of: thread)
        if next.kind.waitsForThreads && !state.hasEnded(thread) {
            word =
                UInt64(next.kind.rawValue) << 56 | UInt64(truncatingIfNeeded: next.a & 0xFFF_FFFF) << 28
                | UInt64(next.object & 0xFFF_FFFF)
        } else {
            word = step == .signal || step == .broadcast ? UInt64(Operation.Kind.yield.rawValue) << 56 : 0
        }
    }

    var mayCloseCycle: Bool { word != 0 }

    /// The operation that the thread announces after the step; a `yield` if only a signal matters. Nil: the step can
    /// close no cycle.
    var operation: Operation? {
        guard let kind = Operation.Kind(rawValue: UInt8(word >> 56)), word != 0 else { return nil }
        // Shifted so that the argument keeps its sign.
        let argument = Int(Int64(bitPattern: word << 8) >> 36)
        return Operation(kind, UInt32(word & 0xFFF_FFFF), argument, 0)
    }
}
