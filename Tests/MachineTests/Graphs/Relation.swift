/// A relation on at most 64 events, numbered from 0 on.
struct Relation: Equatable {
    /// By event: the events that come after it, as bits.
    private(set) var rows: [UInt64]

    init(count: Int) {
        precondition(count <= 64)
        rows = Array(repeating: 0, count: count)
    }

    /// Each event of the set with itself.
    init(identityOf set: [Bool]) {
        self.init(count: set.count)
        for event in set.indices where set[event] { insert(event, event) }
    }

    mutating func insert(_ a: Int, _ b: Int) { rows[a] |= 1 << UInt64(b) }

    func contains(_ a: Int, _ b: Int) -> Bool { rows[a] & 1 << UInt64(b) != 0 }

    func filtered(_ isIncluded: (Int, Int) -> Bool) -> Relation {
        var result = Relation(count: rows.count)
        for a in rows.indices { Self.each(rows[a]) { if isIncluded(a, $0) { result.insert(a, $0) } } }
        return result
    }

    private static func each(_ row: UInt64, _ body: (Int) -> Void) {
        var left = row
        while left != 0 {
            body(left.trailingZeroBitCount)
            left &= left - 1
        }
    }

    static func | (one: Relation, other: Relation) -> Relation {
        var result = one
        for event in one.rows.indices { result.rows[event] |= other.rows[event] }
        return result
    }

    /// One, then the other.
    static func * (one: Relation, other: Relation) -> Relation {
        var result = Relation(count: one.rows.count)
        for a in one.rows.indices {
            var row: UInt64 = 0
            each(one.rows[a]) { row |= other.rows[$0] }
            result.rows[a] = row
        }
        return result
    }

    /// The relation, or no step.
    var orNothing: Relation { self | Relation(identityOf: Array(repeating: true, count: rows.count)) }

    /// One step or more (Floyd and Warshall).
    var closed: Relation {
        var result = self
        for between in rows.indices {
            for a in rows.indices where result.contains(a, between) { result.rows[a] |= result.rows[between] }
        }
        return result
    }

    var hasCycle: Bool {
        let closed = closed
        return rows.indices.contains { closed.contains($0, $0) }
    }
}
