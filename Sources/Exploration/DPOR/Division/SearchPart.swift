import Machine

/// A part of a search that can be searched without the other parts.
package enum SearchPart: Equatable, Sendable {
    /// In a partial-order search: the executions in which certain steps come in certain orders. An order acts like a
    /// rule of the program: the later step waits for the earlier one. The search of a part thus tries each class of its
    /// executions once, as it would of any program.
    case orders([Order])
    /// In a search of graphs: the graphs to which these branches lead. What follows a choice depends only on the graph
    /// at the choice.
    case branches([Branch])
    /// In a search by states: one of several searches of all states, each in an order of its own. The first is the
    /// search that a single machine does.
    case member(Member)

    /// One half of all executions, by the order of two steps. Executions in which neither is taken belong to the half
    /// in which `needsEarlier` is false.
    package struct Order: Hashable, Sendable {
        package let earlier: OrderedStep
        package let later: OrderedStep
        /// Whether the earlier step must be taken; an execution without it then belongs to the other half.
        package let needsEarlier: Bool

        package init(_ earlier: OrderedStep, before later: OrderedStep, needsEarlier: Bool) {
            self.earlier = earlier
            self.later = later
            self.needsEarlier = needsEarlier
        }
    }

    /// One branch of a choice. Choices with a single branch are not listed.
    package struct Branch: Hashable, Sendable {
        /// The branch's number, from 0.
        package let number: Int
        /// The number of branches of the choice, at least 2.
        package let count: Int

        package init(_ number: Int, of count: Int) {
            self.number = number
            self.count = count
        }
    }

    /// One of several searches by states.
    package struct Member: Hashable, Sendable {
        /// The search's number, from 0.
        package let number: Int
        package let count: Int

        package init(_ number: Int, of count: Int) {
            self.number = number
            self.count = count
        }

        /// Whether this is the search that a single machine does. Only that one can prove something.
        package var isWhole: Bool { number == 0 }
    }

    package init(_ orders: [Order] = []) { self = .orders(orders) }

    /// The orders of this part. Empty for the whole search and for parts of other kinds.
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

    /// Whether this part equals the other one, or is a part of it.
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
