/// What one atomic or plain cell holds.
package struct MemoryWord: Hashable, Sendable {
    /// The object's number.
    package let object: Int
    package let value: Int

    package init(object: Int, value: Int) {
        self.object = object
        self.value = value
    }
}

extension MachineState {
    /// What the atomics and plain cells hold, in the order in which they were made.
    package var memory: [MemoryWord] {
        (1..<objectCount).compactMap { number in
            let state = object(UInt32(number))
            guard state.kind == .atomic || state.kind == .cell else { return nil }
            return MemoryWord(object: number, value: state.value)
        }
    }

    /// Whether as many waits have ended without a signal as may.
    package var isSpuriousBudgetSpent: Bool { header.pointee.spuriousBudget == 0 }
}
