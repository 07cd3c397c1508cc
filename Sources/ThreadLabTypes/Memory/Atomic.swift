import Primitives
import Synchronization

extension Lab {
    /// Synchronization's `Atomic`, for values of up to 64 bits. Every operation is a step, and sequentially consistent
    /// whatever ordering is asked for: what only a weaker ordering allows is not found.
    public struct Atomic<Value: AtomicRepresentable>: ~Copyable, Sendable {
        private let base: Primitives.Atomic<Int>

        public init(_ initialValue: consuming Value, file: StaticString = #fileID, line: UInt = #line) {
            base = Primitives.Atomic(nil, Self.word(initialValue), file: file, line: line)
        }

        public borrowing func load(
            ordering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
        ) -> Value {
            Self.value(must { try base.load(file: file, line: line) })
        }

        public borrowing func store(
            _ desired: consuming Value, ordering: AtomicStoreOrdering, file: StaticString = #fileID,
            line: UInt = #line
        ) {
            let word = Self.word(desired)
            must { try base.store(word, file: file, line: line) }
        }

        public borrowing func exchange(
            _ desired: consuming Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID,
            line: UInt = #line
        ) -> Value {
            let word = Self.word(desired)
            return Self.value(must { try base.exchange(word, file: file, line: line) })
        }

        public borrowing func compareExchange(
            expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering,
            file: StaticString = #fileID, line: UInt = #line
        ) -> (exchanged: Bool, original: Value) {
            let words = (Self.word(expected), Self.word(desired))
            let result = must {
                try base.compareExchange(expected: words.0, desired: words.1, file: file, line: line)
            }
            return (result.exchanged, Self.value(result.original))
        }

        public borrowing func compareExchange(
            expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
            failureOrdering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
        ) -> (exchanged: Bool, original: Value) {
            compareExchange(
                expected: expected, desired: desired, ordering: successOrdering, file: file, line: line)
        }

        /// Never fails without a reason here, as it may on some processors.
        public borrowing func weakCompareExchange(
            expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering,
            file: StaticString = #fileID, line: UInt = #line
        ) -> (exchanged: Bool, original: Value) {
            compareExchange(expected: expected, desired: desired, ordering: ordering, file: file, line: line)
        }

        /// Replaces the value by one that is computed from it, in one step of the loop that succeeds.
        borrowing func update(
            _ file: StaticString, _ line: UInt, _ change: (Value) -> Value
        ) -> (oldValue: Value, newValue: Value) {
            var word = must { try base.load(file: file, line: line) }
            while true {
                let new = Self.word(change(Self.value(word)))
                let (exchanged, original) = must {
                    try base.compareExchange(expected: word, desired: new, file: file, line: line)
                }
                if exchanged { return (Self.value(word), Self.value(new)) }
                word = original
            }
        }

        /// One step, for an operation that the machine has.
        ///
        /// - Returns: the value before.
        borrowing func step(_ operation: (Primitives.Atomic<Int>) throws -> Int) -> Value {
            Self.value(must { try operation(base) })
        }

        // MARK: - Words

        static func word(_ value: consuming Value) -> Int {
            precondition(MemoryLayout<Value.AtomicRepresentation>.size <= MemoryLayout<Int>.size, "more than 64 bits")
            let representation = Value.encodeAtomicRepresentation(value)
            var word = 0
            withUnsafeBytes(of: representation) { bytes in
                withUnsafeMutableBytes(of: &word) { $0.copyMemory(from: bytes) }
            }
            return word
        }

        static func value(_ word: Int) -> Value {
            Value.decodeAtomicRepresentation(
                withUnsafeBytes(of: word) { $0.loadUnaligned(as: Value.AtomicRepresentation.self) })
        }
    }
}
