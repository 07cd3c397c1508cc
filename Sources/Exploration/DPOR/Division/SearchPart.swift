import Machine

/// A part of a search, which needs nothing of the other parts.
package enum SearchPart: Equatable, Sendable {
    /// Of a search by partial orders: the executions in which certain steps come in certain orders. Such an order is like a rule of the
    /// program: the later step waits for the earlier one. So the search of a part tries each kind of execution of it once, as it would of
    /// any program.
    case orders([Order])
    /// Of a search of graphs: the graphs to which these branches of it lead. What comes below a choice depends on the graph there
    /// alone.
    case branches([Branch])
    /// One of several searches by states, each in an order of its own. The first is that of one machine.
    case member(Member)

    /// The two halves of all executions by the order of two steps. An execution in which neither is taken is in the first.
    package struct Order: Hashable, Sendable {
        package let earlier: OrderedStep
        package let later: OrderedStep
        /// Whether the earlier step must be taken: an execution without it is in the other half.
        package let needsEarlier: Bool

        package init(_ earlier: OrderedStep, before later: OrderedStep, needsEarlier: Bool) {
            self.earlier = earlier
            self.later = later
            self.needsEarlier = needsEarlier
        }
    }

    /// One of the ways in which a choice is continued that can be continued in several: those with one are not named.
    package struct Branch: Hashable, Sendable {
        /// From 0.
        package let number: Int
        /// The number of branches that the choice has, from 2 on.
        package let count: Int

        package init(_ number: Int, of count: Int) {
            self.number = number
            self.count = count
        }
    }

    /// One of several searches.
    package struct Member: Hashable, Sendable {
        /// From 0.
        package let number: Int
        package let count: Int

        package init(_ number: Int, of count: Int) {
            self.number = number
            self.count = count
        }

        /// Whether it is the search of one machine, which can prove something.
        package var isWhole: Bool { number == 0 }
    }

    package init(_ orders: [Order] = []) { self = .orders(orders) }

    /// Empty for a part of another search, and for a whole one; likewise the branches.
    package var orders: [Order] {
        switch self {
        case .orders(let orders): orders
        case .branches, .member: []
        }
    }

    package var branches: [Branch] {
        switch self {
        case .branches(let branches): branches
        case .orders, .member: []
        }
    }

    package var member: Member? {
        switch self {
        case .member(let member): member
        case .orders, .branches: nil
        }
    }

    /// Whether this is the other part, or a part of that.
    package func isInside(_ other: SearchPart) -> Bool {
        switch (self, other) {
        case (.orders(let own), .orders(let others)): own.starts(with: others)
        case (.branches(let own), .branches(let others)): own.starts(with: others)
        case (.member(let own), .member(let other)): own == other
        case (.orders, .branches), (.orders, .member), (.branches, .orders), (.branches, .member), (.member, .orders),
            (.member, .branches):
            false
        }
    }

    /// Whether a search with this strategy can be divided into such parts.
    package func isPart(ofSearchWith strategy: StrategyChoice) -> Bool {
        switch self {
        case .orders: strategy == .dpor
        case .branches: strategy == .graphs
        case .member: strategy == .states
        }
    }
}
