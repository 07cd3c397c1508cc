import Primitives
import Synchronization

extension Lab {
    /// Synchronization's `Atomic`, for values of up to 64 bits. Each operation is a step, except `&`, `min` and others
    /// that compute the new value from the old one, and sums of fewer than 64 bits: these are loops of
    /// compare-exchanges. The memory order of an operation determines which accesses it orders, and so which data races
    /// are found.
    ///
    /// The scheduler holds the value as a word. For a reference the word is a number (`AtomicReference`), which means
    /// nothing once the run has ended. A `deinit` that runs after the end of the run works on a substitute instead, or
    /// on the initial reference.
    public struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {
        /// The word in the run.
        private let base: Primitives.Atomic<Int>
        /// The word that a `deinit` after the end of the run uses instead.
        private let substitute: Synchronization.Atomic<Int>
        /// The initial value, if it is a reference: what a `deinit` after the end of the run gets in place of an object
        /// that the run has forgotten.
        private let first: Value?

        public init(_ initialValue: consuming Value, file: StaticString = #fileID, line: UInt = #line) {
            // Only references need it. Most atomics hold plain values.
            first = _isPOD(Value.self) ? nil : .some(copy initialValue)
            let word = Self.word(initialValue)
            substitute = Synchronization.Atomic(word)
            base = Primitives.Atomic(nil, word, file: file, line: line)
        }

        public borrowing func load(
            ordering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
        ) -> Value {
            value(load(ordering, file, line))
        }

        public borrowing func store(
            _ desired: consuming Value, ordering: AtomicStoreOrdering, file: StaticString = #fileID,
            line: UInt = #line
        ) {
            let word = Self.word(desired)
            must(orElse: substitute.store(word, ordering: .sequentiallyConsistent)) {
                try base.store(word, ordering: ordering, file: file, line: line)
            }
        }

        public borrowing func exchange(
            _ desired: consuming Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID,
            line: UInt = #line
        ) -> Value {
            let word = Self.word(desired)
            return value(
                must(orElse: first == nil ? substitute.exchange(word, ordering: .sequentiallyConsistent) : Self.lost) {
                    try base.exchange(word, ordering: ordering, file: file, line: line)
                })
        }

        public borrowing func compareExchange(
            expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering,
            file: StaticString = #fileID, line: UInt = #line
        ) -> (exchanged: Bool, original: Value) {
            let words = (expected: Self.word(expected), desired: Self.word(desired))
            let result = compareExchange(words.expected, words.desired, ordering, file, line)
            return (result.exchanged, value(result.original))
        }

        public borrowing func compareExchange(
            expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
            failureOrdering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
        ) -> (exchanged: Bool, original: Value) {
            let words = (expected: Self.word(expected), desired: Self.word(desired))
            let result = compareExchange(
                words.expected, words.desired, successOrdering, onFailure: failureOrdering, file, line)
            return (result.exchanged, value(result.original))
        }

        /// May fail although it finds the expected value, as often as `RunRules.spuriousWakeups` allows.
        public borrowing func weakCompareExchange(
            expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering,
            file: StaticString = #fileID, line: UInt = #line
        ) -> (exchanged: Bool, original: Value) {
            let words = (expected: Self.word(expected), desired: Self.word(desired))
            let result = must(orElse: substituteExchange(words.expected, words.desired)) {
                try base.weakCompareExchange(
                    expected: words.expected, desired: words.desired, ordering: ordering, file: file, line: line)
            }
            return (result.exchanged, value(result.original))
        }

        public borrowing func weakCompareExchange(
            expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
            failureOrdering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
        ) -> (exchanged: Bool, original: Value) {
            let words = (expected: Self.word(expected), desired: Self.word(desired))
            let result = must(orElse: substituteExchange(words.expected, words.desired)) {
                try base.weakCompareExchange(
                    expected: words.expected, desired: words.desired, successOrdering: successOrdering,
                    failureOrdering: failureOrdering, file: file, line: line)
            }
            return (result.exchanged, value(result.original))
        }

        /// Replaces the value by one that is computed from it, with a compare-exchange loop.
        borrowing func update(
            _ ordering: AtomicUpdateOrdering, _ file: StaticString, _ line: UInt, _ change: (Value) -> Value
        ) -> (oldValue: Value, newValue: Value) {
            var word = load(.relaxed, file, line)
            while true {
                let new = Self.word(change(Self.value(word)))
                let (exchanged, original) = compareExchange(word, new, ordering, onFailure: .relaxed, file, line)
                if exchanged { return (Self.value(word), Self.value(new)) }
                word = original
            }
        }

        /// Adds to the word, in one step.
        ///
        /// - Returns: the old value.
        borrowing func add(
            _ amount: Int, _ ordering: AtomicUpdateOrdering, _ file: StaticString, _ line: UInt
        ) -> Value {
            Self.value(
                must(orElse: substitute.wrappingAdd(amount, ordering: .sequentiallyConsistent).oldValue) {
                    try base.add(amount, ordering: ordering, file: file, line: line)
                })
        }

        private borrowing func load(_ ordering: AtomicLoadOrdering, _ file: StaticString, _ line: UInt) -> Int {
            must(orElse: first == nil ? substitute.load(ordering: .sequentiallyConsistent) : Self.lost) {
                try base.load(ordering: ordering, file: file, line: line)
            }
        }

        private borrowing func substituteExchange(_ expected: Int, _ desired: Int) -> (exchanged: Bool, original: Int) {
            first == nil
                ? substitute.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
                : (false, Self.lost)
        }

        /// - Parameter failure: the memory order of a failure. Nil: `ordering` without its release.
        private borrowing func compareExchange(
            _ expected: Int, _ desired: Int, _ ordering: AtomicUpdateOrdering,
            onFailure failure: AtomicLoadOrdering? = nil, _ file: StaticString, _ line: UInt
        ) -> (exchanged: Bool, original: Int) {
            must(orElse: substituteExchange(expected, desired)) {
                guard let failure else {
                    return try base.compareExchange(
                        expected: expected, desired: desired, ordering: ordering, file: file, line: line)
                }
                return try base.compareExchange(
                    expected: expected, desired: desired, successOrdering: ordering, failureOrdering: failure,
                    file: file, line: line)
            }
        }

        // MARK: - Words

        /// The word that stands for a reference whose number could now be that of another object. It decodes to
        /// `first`.
        private static var lost: Int { .min }

        private borrowing func value(_ word: Int) -> Value {
            if let first, word == Self.lost || ReferencesOfRun.current.hasForgotten(word) { return first }
            return Self.value(word)
        }

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

extension Lab.Atomic where Value: FixedWidthInteger {
    /// Adds, wrapping around on overflow.
    @discardableResult
    public borrowing func wrappingAdd(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        guard Value.bitWidth == Int.bitWidth else { return update(ordering, file, line) { $0 &+ operand } }
        let old = add(Int(truncatingIfNeeded: operand), ordering, file, line)
        return (old, old &+ operand)
    }

    /// Subtracts, wrapping around on overflow.
    @discardableResult
    public borrowing func wrappingSubtract(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        wrappingAdd(0 &- operand, ordering: ordering, file: file, line: line)
    }

    /// Adds; traps on overflow.
    @discardableResult
    public borrowing func add(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        let values = wrappingAdd(operand, ordering: ordering, file: file, line: line)
        return (values.oldValue, values.oldValue + operand)
    }

    /// Subtracts; traps on overflow.
    @discardableResult
    public borrowing func subtract(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        let values = wrappingSubtract(operand, ordering: ordering, file: file, line: line)
        return (values.oldValue, values.oldValue - operand)
    }

    @discardableResult
    public borrowing func bitwiseAnd(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(ordering, file, line) { $0 & operand }
    }

    @discardableResult
    public borrowing func bitwiseOr(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(ordering, file, line) { $0 | operand }
    }

    @discardableResult
    public borrowing func bitwiseXor(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(ordering, file, line) { $0 ^ operand }
    }

    @discardableResult
    public borrowing func min(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(ordering, file, line) { Swift.min($0, operand) }
    }

    @discardableResult
    public borrowing func max(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(ordering, file, line) { Swift.max($0, operand) }
    }
}

extension Lab.Atomic where Value == Bool {
    @discardableResult
    public borrowing func logicalAnd(
        _ operand: Bool, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Bool, newValue: Bool) {
        update(ordering, file, line) { $0 && operand }
    }

    @discardableResult
    public borrowing func logicalOr(
        _ operand: Bool, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Bool, newValue: Bool) {
        update(ordering, file, line) { $0 || operand }
    }

    @discardableResult
    public borrowing func logicalXor(
        _ operand: Bool, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Bool, newValue: Bool) {
        update(ordering, file, line) { $0 != operand }
    }
}

extension Lab {
    /// Synchronization's memory fence: a step, which orders the thread's accesses before it and after it.
    public static func atomicMemoryFence(
        ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) {
        must { try Fence.issue(ordering: ordering, file: file, line: line) }
    }
}
