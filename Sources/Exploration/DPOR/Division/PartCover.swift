import Machine

/// Checks whether parts of a search make up the whole: whether each execution is in exactly one of them.
///
/// Only the parts themselves are examined, not how they were made. Their orders must be the paths of a tree in which
/// each pair of steps has both of its orders; their branches, the paths of a tree in which each choice has all of its
/// branches. So a part can be divided further at any time, and whatever puts results together need not trust the
/// division. Searches by states are not divided but repeated in other orders: all of them must be present.
package enum PartCover {
    /// Why parts do not make up a search. Numbers are indices in the list of parts.
    package enum Flaw: Equatable, Sendable {
        /// The executions with these orders or branches are in no part.
        case missing(SearchPart)
        /// Two parts are the same.
        case doubled(Int, Int)
        /// The first is a part of the second.
        case inside(Int, of: Int)
        /// The two parts were not made by one division.
        case unrelated(Int, Int)
        /// The part has an order that is not of two threads that change one object, or a branch that its choice does
        /// not have.
        case meaningless(Int)
    }

    /// The maximum depth of the tree; no division makes a deeper one.
    package static let mostOrders = 512

    /// The first flaw. Nil: the parts make up the whole search, or the part `whole` of it.
    package static func flaw(of parts: [SearchPart], in whole: SearchPart = SearchPart()) -> Flaw? {
        guard let first = parts.first else { return .missing(whole) }
        if let strange = parts.indices.first(where: { !isMeaningful(parts[$0]) }) { return .meaningless(strange) }
        let all = Array(parts.indices)
        switch first {
        case .orders:
            let orders = whole.orders
            if let other = all.first(where: { !parts[$0].isInside(.orders(orders)) }) { return .unrelated(0, other) }
            return flaw(of: parts, all, below: orders)
        case .branches:
            let branches = whole.branches
            if let other = all.first(where: { !parts[$0].isInside(.branches(branches)) }) {
                return .unrelated(0, other)
            }
            return flaw(of: parts, all, below: branches)
        case .member(let member): return flaw(of: parts, membersOf: member.count)
        }
    }

    package static func isMeaningful(_ part: SearchPart) -> Bool {
        switch part {
        case .orders(let orders):
            orders.count <= mostOrders
                && orders.allSatisfy { $0.earlier.thread != $0.later.thread && $0.earlier.object == $0.later.object }
        case .branches(let branches):
            branches.count <= mostOrders && branches.allSatisfy { $0.count > 1 && (0..<$0.count).contains($0.number) }
        case .member(let member): (0..<member.count).contains(member.number)
        }
    }

    /// The first flaw of the parts of the group, which all begin with these orders.
    private static func flaw(of parts: [SearchPart], _ group: [Int], below orders: [SearchPart.Order]) -> Flaw? {
        guard let first = group.first else { return .missing(SearchPart(orders)) }
        if let whole = group.first(where: { parts[$0].orders.count == orders.count }) {
            return flaw(of: parts, group, where: whole)
        }
        let order = parts[first].orders[orders.count]
        // In the same sequence whichever half the first part is in, so that the first flaw is the same.
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

    /// The first flaw of the parts of the group, which all begin with these branches.
    private static func flaw(of parts: [SearchPart], _ group: [Int], below branches: [SearchPart.Branch]) -> Flaw? {
        if let whole = group.first(where: { parts[$0].branches.count == branches.count }) {
            return flaw(of: parts, group, where: whole)
        }
        let count = parts[group[0]].branches[branches.count].count
        if let other = group.first(where: { parts[$0].branches[branches.count].count != count }) {
            return .unrelated(group[0], other)
        }
        let byBranch = Dictionary(grouping: group) { parts[$0].branches[branches.count].number }
        for number in 0..<count {
            let below = branches + [.init(number, of: count)]
            guard let rest = byBranch[number] else { return .missing(.branches(below)) }
            if let flaw = flaw(of: parts, rest, below: below) { return flaw }
        }
        return nil
    }

    /// The flaw of a group in which the part `whole` covers everything: there must be no other part in it.
    private static func flaw(of parts: [SearchPart], _ group: [Int], where whole: Int) -> Flaw? {
        guard let other = group.first(where: { $0 != whole }) else { return nil }
        return parts[other] == parts[whole]
            ? .doubled(min(whole, other), max(whole, other)) : .inside(other, of: whole)
    }

    /// The first flaw of parts that should be this number of searches by states.
    private static func flaw(of parts: [SearchPart], membersOf count: Int) -> Flaw? {
        var places: [Int: Int] = [:]
        for (place, part) in parts.enumerated() {
            guard let member = part.member, member.count == count else { return .unrelated(0, place) }
            if let other = places.updateValue(place, forKey: member.number) { return .doubled(other, place) }
        }
        return (0..<count).first { places[$0] == nil }.map { .missing(.member(.init($0, of: count))) }
    }
}

extension SearchPart.Order {
    /// The order with the other half of the executions.
    var opposite: Self { Self(later, before: earlier, needsEarlier: !needsEarlier) }
}
