// Equality that other rooms call directly. The one that the compiler derives is reached through a table from outside this room, which
// a search of partial orders felt: 4 % of its time.

extension Operation.Kind {
    @inlinable @inline(__always) package static func == (one: Self, other: Self) -> Bool {
        // An enumeration of so few cases without values is one byte.
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}

extension ThreadState.Status {
    @inlinable @inline(__always) package static func == (one: Self, other: Self) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}

extension Act {
    @inlinable @inline(__always) package static func == (one: Self, other: Self) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}

extension Act.Reach {
    @inlinable @inline(__always) package static func == (one: Self, other: Self) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }
}
