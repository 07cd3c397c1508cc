import Trace

/// Condenses the words of a state into one.
///
/// The search for a cycle hashes the whole state after a step, so a word must cost little: one multiplication, whose
/// two halves are combined. Two different sequences of words have equal hashes with a probability of about 2⁻⁶⁴.
package struct StateHash: Sendable {
    @usableFromInline var state: UInt64 = SplitMix64.increment
    @usableFromInline var sum: UInt64 = 0

    @inlinable package init() {}

    @inlinable @inline(__always) package mutating func add(_ word: Int) {
        let product = (state ^ UInt64(bitPattern: Int64(word))).multipliedFullWidth(by: Self.factor)
        // Without the addition, a state of zero would stay zero while words are zero.
        state = (product.high ^ product.low) &+ SplitMix64.increment
    }

    /// Adds a word whose position does not matter.
    @inlinable @inline(__always) package mutating func addInAnyOrder(_ word: Int) {
        sum = sum &+ SplitMix64.mixed(UInt64(bitPattern: Int64(word)))
    }

    @inlinable package var value: UInt64 { SplitMix64.mixed(state ^ sum) }

    /// Odd, with half of its bits set.
    @usableFromInline static var factor: UInt64 { 0x9FB2_1C65_1E98_DF25 }
}
