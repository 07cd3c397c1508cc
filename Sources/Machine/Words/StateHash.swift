/// Condenses the words of a state into one.
package struct StateHash: Sendable {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var sum: UInt64 = 0

    package init() {}

    @inline(__always) private static func mixed(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    @inline(__always) package mutating func add(_ word: Int) {
        state = Self.mixed(state &+ UInt64(bitPattern: Int64(word))) &+ 0x9E37_79B9_7F4A_7C15
    }

    /// For words whose order means nothing.
    @inline(__always) package mutating func addInAnyOrder(_ word: Int) {
        sum = sum &+ Self.mixed(UInt64(bitPattern: Int64(word)))
    }

    package var value: UInt64 { Self.mixed(state ^ sum) }
}
