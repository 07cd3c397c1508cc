import Machine

/// A part of the executions of a program: those in which certain steps come in certain orders.
///
/// A search of one part needs nothing of the others, because such an order is like a rule of the program: the later step waits for
/// the earlier one. So it tries each kind of execution of its part once, as it would of any program.
package struct SearchPart: Equatable, Sendable {
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

    package let orders: [Order]

    package init(_ orders: [Order] = []) { self.orders = orders }
}
