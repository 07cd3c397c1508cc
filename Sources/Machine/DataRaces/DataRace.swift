/// Two accesses of the same memory that are not ordered by happens-before, at least one of them a write and at least
/// one of them plain.
package struct DataRace: Equatable, Sendable {
    /// The plain cell; in a compiled program, the object that stands for the memory.
    package let cell: ObjectIdentity
    /// The thread whose access came first in this execution, and the one whose access came later.
    package let earlier: Int
    package let later: Int
    package let earlierWrites: Bool
    package let laterWrites: Bool

    package init(cell: ObjectIdentity, earlier: Int, later: Int, earlierWrites: Bool, laterWrites: Bool) {
        self.cell = cell
        self.earlier = earlier
        self.later = later
        self.earlierWrites = earlierWrites
        self.laterWrites = laterWrites
    }

    /// A number that distinguishes races. It depends only on the cell and on how many of the two accesses are writes,
    /// not on the threads or on the order of the accesses.
    package var place: Int {
        var hash = StateHash()
        hash.add(cell.word)
        hash.add((earlierWrites ? 1 : 0) + (laterWrites ? 1 : 0))
        return Int(truncatingIfNeeded: hash.value)
    }
}
