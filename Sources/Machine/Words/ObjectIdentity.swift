/// Identifies an object in every execution of a program: by the thread that makes it and the number of objects that the
/// thread made before. An object that any thread may be the first to need has a name instead, and an object of a
/// compiled program its address.
package struct ObjectIdentity: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// With bit 62 set, an address (bits 0 to 59) and a part (bits 60 and 61). Otherwise `maker`, from bit 32 on, and
    /// below it `nth`.
    package let word: Int

    package init(word: Int) { self.word = word }

    /// - Parameter word: read from a file. The result is nil if no object can have this word.
    package init?(checked word: Int) {
        guard word >= 0, word & Self.located != 0 || word >> 32 <= Self.initializers else { return nil }
        self.word = word
    }

    package init(maker: Int, nth: Int) { word = maker << 32 | nth }

    /// The identity of an object with this name. The hash of the name (FNV-1a) is the same in every process.
    package init(named name: String) {
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        self.init(maker: Self.nobody, nth: Int(hash))
    }

    /// The identity of an object that the initializer of a global made. Initializers run in the first execution only.
    package init(globalNumber: Int) { self.init(maker: Self.initializers, nth: globalNumber) }

    /// The maker of objects that have a name. No thread has this number.
    package static let nobody = MachineState.maximumThreads

    /// The maker of objects that initializers of globals make. No thread has this number either.
    private static let initializers = nobody + 1

    /// The identity of an object of a compiled program: its address.
    ///
    /// - Parameter part: which of several objects at the address, from 0 to 3.
    package init(address: UInt64, part: Int) {
        word = Self.located | part << 60 | Int(truncatingIfNeeded: address & Self.addressBits)
    }

    private static let located = 1 << 62
    @inline(__always) private static var addressBits: UInt64 { (1 << 60) - 1 }

    /// The address of an object of a compiled program. Nil: it is not one.
    package var address: UInt64? { word & Self.located == 0 ? nil : UInt64(word) & Self.addressBits }

    /// Whether the identity does not depend on which objects were made before: it is a name or an address.
    var isNamed: Bool { maker == Self.nobody || word & Self.located != 0 }

    /// The number of the thread that made the object; for a name, `nobody`; for an object of a global's initializer,
    /// `initializers`. Meaningless for an address.
    package var maker: Int { word >> 32 }
    /// The number of objects that the maker had made before; for a name, its hash. Meaningless for an address.
    package var nth: Int { word & 0xFFFF_FFFF }

    package static func < (one: Self, other: Self) -> Bool { one.word < other.word }
}
