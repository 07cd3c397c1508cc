import Trace

/// A 64-bit hash of a sequence of words, such as those of a state.
///
/// The search for a cycle hashes the whole state after a step, so a word must cost little: one multiplication, and the
/// combination of the two halves of the product. Two different sequences of words have equal hashes with a probability
/// of about 2⁻⁶⁴.
package struct StateHash: Sendable {
    /// The hash of the words whose position matters.
    @usableFromInline var state: UInt64 = SplitMix64.increment
    /// The sum of the hashes of the other words.
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

    /// An arbitrary odd number. About half of its bits are set.
    @usableFromInline static var factor: UInt64 { 0x9FB2_1C65_1E98_DF25 }
}
