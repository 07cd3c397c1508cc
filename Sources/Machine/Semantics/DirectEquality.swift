// Equality that other modules can inline. The equality that the compiler derives is called through a witness table from
// other modules, which took 4 % of the time of a partial-order search.

extension Operation.Kind {
    @inlinable @inline(always) package static func == (one: Self, other: Self) -> Bool {
        // The enumerations in this file have few cases and no associated values, so each value is one byte.
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}

extension ThreadState.Status {
    @inlinable @inline(always) package static func == (one: Self, other: Self) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}

extension Act {
    @inlinable @inline(always) package static func == (one: Self, other: Self) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}

extension Act.Reach {
    @inlinable @inline(always) package static func == (one: Self, other: Self) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}

extension StepResult.Status {
    @inlinable @inline(always) package static func == (one: Self, other: Self) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}

extension Verdict {
    @inlinable @inline(always) package static func == (one: Self, other: Self) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}
