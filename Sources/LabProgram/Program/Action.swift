import Machine

extension Program {
    /// What a method does to its object.
    package enum Action: Equatable, Sendable {
        /// An operation of the machine. Those that change a value return the old one; `compareExchange` returns whether
        /// it stored.
        ///
        /// - Parameter isTimed: it has a duration as its argument, and returns whether it succeeded in that time.
        case operation(Operation.Kind, isTimed: Bool = false)
        /// The method with this number in a recipe.
        case built(method: Int)
        /// Those of lists. Removing from an empty list ends the run with an error.
        case append, removeFirst, removeLast, removeAll, count

        /// Whether it changes nothing and never blocks.
        package var onlyLooks: Bool {
            switch self {
            case .operation(let kind, _): kind.isLook
            case .count: true
            case .built, .append, .removeFirst, .removeLast, .removeAll: false
            }
        }

        /// The operation, if it is one.
        package var kind: Operation.Kind? {
            if case .operation(let kind, _) = self { kind } else { nil }
        }
    }
}
