/// A small, fast generator with good statistics (Steele, Lea, Flood, OOPSLA 2014). Its sequence is part of what a seed means:
/// it does not change.
///
/// Can be inlined into other modules: a strategy draws a number at each step, and changing its generator there would else be checked
/// for exclusive access.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    /// The golden ratio, as a fraction of 2⁶⁴: what the state grows by.
    @inlinable package static var increment: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    @usableFromInline var state: UInt64

    @inlinable package init(seed: UInt64) { state = seed }

    /// Each execution of a search has a sequence of its own. That of number 0 is the seed's.
    @inlinable package init(seed: UInt64, execution: Int) { state = seed ^ Self.mixed(UInt64(execution)) }

    @inlinable @inline(__always) package mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// Another word for each word, with nothing left to see of it; 0 for 0.
    @inlinable @inline(__always) package static func mixed(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 to `bound` − 1, by multiplication: its bias is below 2⁻³² for bounds that fit in 32 bits.
    @inlinable @inline(__always) package mutating func next(below bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
    }
}
