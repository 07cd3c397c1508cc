import Machine

/// Whether parts of a search are all of it: each execution is in exactly one of them.
///
/// That is known from the parts alone, however they were made: their orders are the paths of a tree in which each pair of steps has both of
/// its orders. So a part can be divided further at any time, and what is joined need not trust how it was divided.
package enum PartCover {
    /// Why parts are not all of a search. Numbers are places in the list of parts.
    package enum Flaw: Equatable, Sendable {
        /// The executions with these orders are in no part.
        case missing(SearchPart)
        /// Both are the same part.
        case doubled(Int, Int)
        /// The second is a part of the first.
        case inside(Int, of: Int)
        /// They were not made by one division.
        case unrelated(Int, Int)
        /// Its orders are not of two threads that change one object.
        case meaningless(Int)
    }

    /// Deeper trees have no division.
    package static let mostOrders = 512

    /// The first flaw. Nil: the parts are a whole search, or all of one part of it.
    package static func flaw(of parts: [SearchPart], in whole: SearchPart = SearchPart()) -> Flaw? {
        if let strange = parts.indices.first(where: { !isMeaningful(parts[$0]) }) { return .meaningless(strange) }
        if let other = parts.indices.first(where: { !parts[$0].orders.starts(with: whole.orders) }) {
            return .unrelated(other, other)
        }
        return flaw(of: parts, Array(parts.indices), below: whole.orders)
    }

    private static func isMeaningful(_ part: SearchPart) -> Bool {
        part.orders.count <= mostOrders
            && part.orders.allSatisfy { $0.earlier.thread != $0.later.thread && $0.earlier.object == $0.later.object }
    }

    /// - Parameters:
    ///   - group: the numbers of the parts that begin with these orders.
    private static func flaw(of parts: [SearchPart], _ group: [Int], below orders: [SearchPart.Order]) -> Flaw? {
        guard let first = group.first else { return .missing(SearchPart(orders)) }
        if let whole = group.first(where: { parts[$0].orders.count == orders.count }) {
            guard let other = group.first(where: { $0 != whole }) else { return nil }
            return parts[other].orders.count == orders.count
                ? .doubled(min(whole, other), max(whole, other)) : .inside(other, of: whole)
        }
        let order = parts[first].orders[orders.count]
        let (one, two) = order.needsEarlier ? (order.opposite, order) : (order, order.opposite)
        if let other = group.first(where: { ![one, two].contains(parts[$0].orders[orders.count]) }) {
            return .unrelated(first, other)
        }
        for half in [one, two] {
            let rest = group.filter { parts[$0].orders[orders.count] == half }
            if let flaw = flaw(of: parts, rest, below: orders + [half]) { return flaw }
        }
        return nil
    }
}

extension SearchPart.Order {
    /// The other half of the executions.
    var opposite: Self { Self(later, before: earlier, needsEarlier: !needsEarlier) }
}
