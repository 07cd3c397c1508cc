import Machine

/// What a thread will do next after a step, in one word, as far as that can close a cycle of waiting threads.
struct Announcement: BitwiseCopyable {
    /// 0: the thread will not wait for another thread, and the step woke none.
    let word: UInt64

    init() { word = 0 }
    init(word: UInt64) { self.word = word }

    /// - Parameter step: the kind of the thread's last step.
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

    var operation: Operation? {
        guard let kind = Operation.Kind(rawValue: UInt8(word >> 56)), word != 0 else { return nil }
        return Operation(kind, UInt32(word & 0xFFF_FFFF), Int(Int64(bitPattern: word << 8) >> 36), 0)
    }
}
