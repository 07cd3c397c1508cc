/// What identifies an object in every execution: the thread that makes it, and how many objects that thread has made
/// before.
package struct ObjectIdentity: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Both, in one word.
    package let word: Int

    package init(word: Int) { self.word = word }
    package init(maker: Int, nth: Int) { word = maker << 32 | nth }

    /// The thread's number.
    package var maker: Int { word >> 32 }
    /// From 0.
    package var nth: Int { word & 0xFFFF_FFFF }

    package static func < (one: Self, other: Self) -> Bool { one.word < other.word }
}
