import LabSyntax
import Machine
import Trace

/// Checks memory orders, as in `x.store(1, release)` and `fence(acquire)`.
extension Checker {
    /// An order as the file names it.
    struct OrderWord {
        var order: MemoryOrder
        var word: String
        var span: Span
    }

    /// Separates the memory orders at the end of the arguments from the others.
    mutating func takeOrders(
        from arguments: [Syntax.Argument], atMost limit: Int
    ) throws(Refused) -> (plain: [Syntax.Argument], orders: [OrderWord]) {
        var plain = arguments
        var orders: [OrderWord] = []
        while limit > 0, let last = plain.last, let order = orderWord(last.value) {
            if let label = last.label {
                throw refuse(TypeProblem.wrongLabel(label.text, expected: nil), at: label.span)
            }
            plain.removeLast()
            orders.insert(order, at: 0)
            if orders.count > limit { throw refuse(RuleProblem.tooManyOrderings, at: order.span) }
        }
        return (plain, orders)
    }

    /// The order that the expression names. A declaration of the same name hides the word.
    private func orderWord(_ expression: Syntax.Expression) -> OrderWord? {
        guard case .name(let word) = expression.kind, globals[word] == nil, body?.local(word) == nil,
            let order = Keyword(order: word).flatMap({ MemoryOrder(word: $0.rawValue) })
        else { return nil }
        return OrderWord(order: order, word: word, span: expression.span)
    }

    /// The orders of an operation on an atomic. A compare-exchange can have two.
    mutating func orders(_ words: [OrderWord], of member: Member) throws(Refused) -> Operation.Orders {
        guard let first = words.first else { return Operation.Orders() }
        switch member.action.kind {
        case .load: try check(first, MemoryOrder.ofLoads, of: "a load")
        case .store: try check(first, MemoryOrder.ofStores, of: "a store")
        default: break
        }
        if words.count == 2 {
            try check(words[1], MemoryOrder.ofLoads, of: "a failed compare-exchange, which only reads,")
        }
        return Operation.Orders(first.order, failure: words.count == 2 ? words[1].order : nil)
    }

    /// Checks the arguments of `fence`, and returns its order.
    mutating func fence(_ arguments: [Syntax.Argument], _ span: Span) throws(Refused) -> MemoryOrder {
        let (plain, orders) = try takeOrders(from: arguments, atMost: 1)
        guard let word = orders.first, plain.isEmpty else {
            let usage = MemoryOrder.ofFences.map { "\(Keyword.fence.rawValue)(\($0.word))" }
            throw refuse(TypeProblem.wrongCount(Keyword.fence.rawValue, usage: usage), at: span)
        }
        try check(word, MemoryOrder.ofFences, of: "a fence")
        return word.order
    }

    /// Refuses an order that is not among the possible ones.
    ///
    /// - Parameter what: the operation, for messages.
    private mutating func check(
        _ word: OrderWord, _ possible: [MemoryOrder], of what: String
    ) throws(Refused) {
        if possible.contains(word.order) { return }
        throw refuse(
            RuleProblem.impossibleOrder(word.word, of: what, possible: possible.map(\.word)), at: word.span)
    }
}
