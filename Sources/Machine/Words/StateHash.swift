import Trace

/// Condenses the words of a state into one.
package struct StateHash: Sendable {
    private var state: UInt64 = SplitMix64.increment
    private var sum: UInt64 = 0

    package init() {}

    @inline(always) package mutating func add(_ word: Int) {
        state = SplitMix64.mixed(state &+ UInt64(bitPattern: Int64(word))) &+ SplitMix64.increment
    }

    /// For words whose order does not matter.
    @inline(always) package mutating func addInAnyOrder(_ word: Int) {
        sum = sum &+ SplitMix64.mixed(UInt64(bitPattern: Int64(word)))
    }

    package var value: UInt64 { SplitMix64.mixed(state ^ sum) }
}
