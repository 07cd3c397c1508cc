import Exploration
import Machine
import Testing
import Trace

/// Which lists of parts are a whole search, against the tree that they were made of.
@Suite struct PartCoverTests {
    private static func step(_ thread: UInt16, _ object: Int, _ number: Int) -> OrderedStep {
        OrderedStep(thread: thread, object: ObjectIdentity(maker: 0, nth: object), number: number)
    }

    /// The leaves of a random tree.
    private static func parts(_ count: Int, _ random: inout SplitMix64) -> [SearchPart] {
        var parts = [SearchPart()]
        while parts.count < count {
            let place = random.next(below: parts.count)
            let object = random.next(below: 3)
            let (one, other) = (step(1, object, random.next(below: 3)), step(2, object, random.next(below: 3)))
            let orders = parts[place].orders
            parts[place] = SearchPart(orders + [.init(one, before: other, needsEarlier: false)])
            parts.insert(
                SearchPart(orders + [.init(other, before: one, needsEarlier: true)]),
                at: random.next(below: parts.count + 1))
        }
        return parts
    }

    @Test func `all leaves of a tree are a whole, in any order`() {
        var random = SplitMix64(seed: 1)
        for count in 1...40 { #expect(PartCover.flaw(of: Self.parts(count, &random)) == nil) }
    }

    @Test func `of every subset of the leaves only the whole one is a whole`() {
        var random = SplitMix64(seed: 2)
        for count in 1...9 {
            let parts = Self.parts(count, &random)
            for bits in 0..<(1 << count) - 1 {
                let some = parts.indices.filter { bits & 1 << $0 != 0 }.map { parts[$0] }
                guard case .missing(let hole)? = PartCover.flaw(of: some) else {
                    Issue.record("\(count) \(bits)")
                    continue
                }
                #expect(parts.contains { !some.contains($0) && $0.orders.starts(with: hole.orders) })
            }
        }
    }

    @Test func `a leaf that is there twice is named`() {
        var random = SplitMix64(seed: 3)
        for count in 1...20 {
            var parts = Self.parts(count, &random)
            let twice = random.next(below: count)
            parts.append(parts[twice])
            #expect(PartCover.flaw(of: parts) == .doubled(twice, count))
        }
    }

    @Test func `a part beside what it was divided into is refused`() {
        var random = SplitMix64(seed: 4)
        for count in 2...20 {
            var parts = Self.parts(count, &random)
            let child = random.next(below: count)
            let parent = SearchPart(Array(parts[child].orders.dropLast()))
            parts.append(parent)
            guard case .inside(let place, of: count)? = PartCover.flaw(of: parts) else {
                Issue.record("\(count)")
                continue
            }
            #expect(parts[place].orders.starts(with: parent.orders))
        }
    }

    /// Whatever is changed in an order, the executions that are then in no part are missed.
    @Test func `a part with an order changed is refused`() {
        var random = SplitMix64(seed: 5)
        for count in 2...20 {
            let parts = Self.parts(count, &random)
            let place = random.next(below: count)
            for change in 0..<4 {
                var changed = parts
                var orders = parts[place].orders
                let last = orders.removeLast()
                let other =
                    switch change {
                    case 0: SearchPart.Order(last.later, before: last.earlier, needsEarlier: !last.needsEarlier)
                    case 1: SearchPart.Order(last.earlier, before: last.later, needsEarlier: !last.needsEarlier)
                    case 2:
                        SearchPart.Order(last.earlier, before: Self.step(last.later.thread, 7, 0), needsEarlier: true)
                    default: SearchPart.Order(last.later, before: last.later, needsEarlier: last.needsEarlier)
                    }
                changed[place] = SearchPart(orders + [other])
                #expect(PartCover.flaw(of: changed) != nil, "\(count) \(change)")
            }
        }
    }

    // MARK: - Branches, and searches in orders of their own

    /// The leaves of a random tree of choices.
    private static func branches(_ count: Int, _ random: inout SplitMix64) -> [SearchPart] {
        var parts = [SearchPart.branches([])]
        while parts.count < count {
            let place = random.next(below: parts.count)
            let branches = parts[place].branches
            let width = 2 + random.next(below: 3)
            let below = (0..<width).map { SearchPart.branches(branches + [.init($0, of: width)]) }
            parts.replaceSubrange(place...place, with: below)
        }
        return parts
    }

    @Test func `all leaves of a tree of choices are a whole, and nothing less or more is`() {
        var random = SplitMix64(seed: 6)
        for count in 1...9 {
            let parts = Self.branches(count, &random)
            #expect(PartCover.flaw(of: parts.shuffled(using: &random)) == nil)
            for bits in 0..<(1 << parts.count) - 1 {
                let some = parts.indices.filter { bits & 1 << $0 != 0 }.map { parts[$0] }
                guard case .missing(let hole)? = PartCover.flaw(of: some) else {
                    Issue.record("\(count) \(bits)")
                    continue
                }
                #expect(
                    parts.contains { !some.contains($0) && ($0.isInside(hole) || hole == SearchPart()) })
            }
            for (place, part) in parts.enumerated() {
                #expect(PartCover.flaw(of: parts + [part]) == .doubled(place, parts.count))
                if let last = part.branches.last {
                    let parent = SearchPart.branches(part.branches.dropLast())
                    #expect(PartCover.flaw(of: parts + [parent]) != nil)
                    var changed = parts
                    changed[place] = .branches(part.branches.dropLast() + [.init(last.number, of: last.count + 1)])
                    #expect(PartCover.flaw(of: changed) != nil)
                    changed[place] = .branches(part.branches.dropLast() + [.init(last.count, of: last.count)])
                    #expect(PartCover.flaw(of: changed) == .meaningless(place))
                }
            }
        }
    }

    @Test func `of searches in orders of their own all are there, once`() {
        let all = (0..<5).map { SearchPart.member(.init($0, of: 5)) }
        #expect(PartCover.flaw(of: all) == nil)
        #expect(PartCover.flaw(of: all + [all[3]]) == .doubled(3, 5))
        #expect(PartCover.flaw(of: all.filter { $0 != all[2] }) == .missing(all[2]))
        #expect(PartCover.flaw(of: all + [.member(.init(5, of: 6))]) == .unrelated(0, 5))
        #expect(PartCover.flaw(of: all + [.member(.init(5, of: 5))]) == .meaningless(5))
    }

    @Test func `parts of different kinds are no whole`() {
        let kinds = [SearchPart(), .branches([]), .member(.init(0, of: 1))]
        for one in kinds {
            #expect(PartCover.flaw(of: [one]) == nil)
            for other in kinds where other != one { #expect(PartCover.flaw(of: [one, other]) == .unrelated(0, 1)) }
        }
    }

    @Test func `no parts are not a search`() { #expect(PartCover.flaw(of: []) == .missing(SearchPart())) }
}
