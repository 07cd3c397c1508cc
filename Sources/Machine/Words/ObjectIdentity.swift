/// What identifies an object in every execution: the thread that makes it, and how many objects that thread has made
/// before. Or its name, if any thread can be the one that needs it first.
package struct ObjectIdentity: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Both, in one word.
    package let word: Int

    package init(word: Int) { self.word = word }
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

    var isNamed: Bool { maker == Self.nobody }

    /// The thread's number.
    package var maker: Int { word >> 32 }
    /// From 0.
    package var nth: Int { word & 0xFFFF_FFFF }

    package static func < (one: Self, other: Self) -> Bool { one.word < other.word }
}
