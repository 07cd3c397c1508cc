/// Two accesses of one plain cell, at least one of them a write, that nothing orders.
package struct DataRace: Equatable, Sendable {
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

    /// A number that distinguishes races: the same accesses of a cell are the same race, whichever threads make them,
    /// in either order.
    package var place: Int {
        var hash = StateHash()
        hash.add(cell.word)
        hash.add((earlierWrites ? 1 : 0) + (laterWrites ? 1 : 0))
        return Int(truncatingIfNeeded: hash.value)
    }
}
