/// What identifies an object in every execution: the thread that makes it, and how many objects that thread has made
/// before. Or its name, if any thread can be the one that needs it first.
package struct ObjectIdentity: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Both, in one word.
    package let word: Int

    package init(word: Int) { self.word = word }

    /// - Parameter word: from a file. Nil: no object has it.
    package init?(checked word: Int) {
        guard word >= 0, word & Self.located != 0 || word >> 32 <= Self.nobody + 1 else { return nil }
        self.word = word
    }

    package init(maker: Int, nth: Int) { word = maker << 32 | nth }

    /// Of an object with this name. The same in every process (FNV-1a).
    package init(named name: String) {
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        self.init(maker: Self.nobody, nth: Int(hash))
    }

    /// Of an object that an initializer of a global has made: of the first execution only.
    package init(globalNumber: Int) { self.init(maker: Self.nobody + 1, nth: globalNumber) }

    /// The number of no thread, in place of the maker of an object with a name.
    package static let nobody = MachineState.maximumThreads

    /// Of an object of a compiled program, which is where it is.
    ///
    /// - Parameter part: which of several objects at the address it is: less than 4.
    package init(address: UInt64, part: Int) {
        word = Self.located | part << 60 | Int(truncatingIfNeeded: address & (1 << 60 - 1))
    }

    private static let located = 1 << 62

    /// The address of an object of a compiled program. Nil: it is none.
    package var address: UInt64? { word & Self.located == 0 ? nil : UInt64(word) & (1 << 60 - 1) }

    /// Whether it does not tell which objects its maker made before.
    var isNamed: Bool { maker == Self.nobody || word & Self.located != 0 }

    /// The thread's number.
    package var maker: Int { word >> 32 }
    /// From 0.
    package var nth: Int { word & 0xFFFF_FFFF }

    package static func < (one: Self, other: Self) -> Bool { one.word < other.word }
}
