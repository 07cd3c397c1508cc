import Primitives
import Synchronization

extension Lab.Atomic where Value: FixedWidthInteger {
    /// Adds, wrapping around on overflow.
    @discardableResult
    public borrowing func wrappingAdd(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        guard Value.bitWidth == Int.bitWidth else { return update(file, line) { $0 &+ operand } }
        let old = add(Int(truncatingIfNeeded: operand), file, line)
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
        update(file, line) { $0 & operand }
    }

    @discardableResult
    public borrowing func bitwiseOr(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(file, line) { $0 | operand }
    }

    @discardableResult
    public borrowing func bitwiseXor(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(file, line) { $0 ^ operand }
    }

    @discardableResult
    public borrowing func min(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(file, line) { Swift.min($0, operand) }
    }

    @discardableResult
    public borrowing func max(
        _ operand: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
        update(file, line) { Swift.max($0, operand) }
    }
}

extension Lab.Atomic where Value == Bool {
    @discardableResult
    public borrowing func logicalAnd(
        _ operand: Bool, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Bool, newValue: Bool) {
        update(file, line) { $0 && operand }
    }

    @discardableResult
    public borrowing func logicalOr(
        _ operand: Bool, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Bool, newValue: Bool) {
        update(file, line) { $0 || operand }
    }

    @discardableResult
    public borrowing func logicalXor(
        _ operand: Bool, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Bool, newValue: Bool) {
        update(file, line) { $0 != operand }
    }
}
