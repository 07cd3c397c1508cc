/// What one atomic or plain cell holds.
package struct MemoryWord: Hashable, Sendable {
    package let object: ObjectIdentity
    package let value: Int

    package init(object: ObjectIdentity, value: Int) {
        self.object = object
        self.value = value
    }
}

extension MachineState {
    /// The values of the atomics and plain cells, ordered by the thread that made them, then by the order in which it
    /// made them.
    package var memory: [MemoryWord] {
        let words = (1..<objectCount).compactMap { number -> MemoryWord? in
            let state = object(UInt32(number))
            guard state.kind == .atomic || state.kind == .cell else { return nil }
            return MemoryWord(object: identity(of: UInt32(number)), value: state.value)
        }
        return words.sorted { $0.object < $1.object }
    }
}
