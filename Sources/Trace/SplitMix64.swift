/// A small, fast generator of random numbers with good statistics (Steele, Lea, Flood, OOPSLA 2014). Its sequence is
/// part of the meaning of a seed and never changes.
///
/// Its code is inlined into other modules: a strategy draws a number at each step, and would otherwise pay for a call
/// and a check of exclusive access.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    /// 2⁶⁴ divided by the golden ratio: the increment of the state.
    @inlinable public static var increment: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    @usableFromInline var state: UInt64

    @inlinable public init(seed: UInt64) { state = seed }

    /// A generator for one execution of a search. Each has a sequence of its own; execution 0 has that of the seed.
    @inlinable public init(seed: UInt64, execution: Int) { state = seed ^ Self.mixed(UInt64(execution)) }

    @inlinable @inline(__always) public mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// A bijective hash of the word. The hash of 0 is 0.
    @inlinable @inline(__always) public static func mixed(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 to `bound` − 1, for a bound that fits in 32 bits. It is scaled by a multiplication, so it is
    /// very slightly biased.
    @inlinable @inline(__always) public mutating func next(below bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
    }
}
