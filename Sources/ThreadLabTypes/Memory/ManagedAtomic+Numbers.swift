import Synchronization

// swift-atomics' operations on numbers and flags: each with a form that returns the old value (`loadThen…`) and one
// that returns the new value (`…ThenLoad`).

extension Lab.SharedAtomic where Value: FixedWidthInteger {
    public func loadThenWrappingIncrement(
        by operand: Value = 1, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.wrappingAdd(operand, ordering: ordering, file: file, line: line).oldValue
    }

    public func wrappingIncrementThenLoad(
        by operand: Value = 1, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.wrappingAdd(operand, ordering: ordering, file: file, line: line).newValue
    }

    public func wrappingIncrement(
        by operand: Value = 1, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) {
        shared.word.wrappingAdd(operand, ordering: ordering, file: file, line: line)
    }

    public func loadThenWrappingDecrement(
        by operand: Value = 1, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.wrappingSubtract(operand, ordering: ordering, file: file, line: line).oldValue
    }

    public func wrappingDecrementThenLoad(
        by operand: Value = 1, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.wrappingSubtract(operand, ordering: ordering, file: file, line: line).newValue
    }

    public func wrappingDecrement(
        by operand: Value = 1, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) {
        shared.word.wrappingSubtract(operand, ordering: ordering, file: file, line: line)
    }

    public func loadThenBitwiseAnd(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.bitwiseAnd(operand, ordering: ordering, file: file, line: line).oldValue
    }

    public func bitwiseAndThenLoad(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.bitwiseAnd(operand, ordering: ordering, file: file, line: line).newValue
    }

    public func loadThenBitwiseOr(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.bitwiseOr(operand, ordering: ordering, file: file, line: line).oldValue
    }

    public func bitwiseOrThenLoad(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.bitwiseOr(operand, ordering: ordering, file: file, line: line).newValue
    }

    public func loadThenBitwiseXor(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.bitwiseXor(operand, ordering: ordering, file: file, line: line).oldValue
    }

    public func bitwiseXorThenLoad(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.bitwiseXor(operand, ordering: ordering, file: file, line: line).newValue
    }
}

extension Lab.SharedAtomic where Value == Bool {
    public func loadThenLogicalAnd(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.logicalAnd(operand, ordering: ordering, file: file, line: line).oldValue
    }

    public func logicalAndThenLoad(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.logicalAnd(operand, ordering: ordering, file: file, line: line).newValue
    }

    public func loadThenLogicalOr(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.logicalOr(operand, ordering: ordering, file: file, line: line).oldValue
    }

    public func logicalOrThenLoad(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.logicalOr(operand, ordering: ordering, file: file, line: line).newValue
    }

    public func loadThenLogicalXor(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.logicalXor(operand, ordering: ordering, file: file, line: line).oldValue
    }

    public func logicalXorThenLoad(
        with operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.logicalXor(operand, ordering: ordering, file: file, line: line).newValue
    }
}
