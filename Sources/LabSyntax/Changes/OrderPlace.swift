import Text

/// A memory order in a program's text, of an operation on an atomic or of a fence. `explore --suggest` changes these
/// orders to find the weakest ones with which no execution fails.
package struct OrderPlace: Sendable {
    package enum Kind: Sendable {
        case load, store, update, fence
    }

    package let kind: Kind
    /// The order that the program names. Nil: it names none, and the order is `seqcst`.
    package let order: Keyword?
    let line: Int
    /// The span of the order's word, or the empty span where the word is to be inserted.
    fileprivate let span: Span
    /// What to insert before a new word: a comma, or nothing.
    fileprivate let separator: String

    /// The change that replaces the order.
    ///
    /// - Parameter before: the current order, whether the program names it or not.
    package func change(from before: String, to order: String) -> SourceChange {
        SourceChange(
            kind: .order, words: "'\(order)' instead of '\(before)'", lines: [line], size: 1, caution: nil,
            edits: [TextEdit(span, separator + order)])
    }
}

extension SourceText {
    /// The memory orders of the program's threads and functions, in the order of the text. Empty for a text with
    /// errors, and for a very large program.
    package func orderPlaces() -> [OrderPlace] {
        guard let map = StatementMap(self) else { return [] }
        var places: [OrderPlace] = []
        for statement in map.places.map(\.statement) {
            for expression in statement.expressions { expression.visit { places += map.orders(in: $0) } }
        }
        return places.sorted { $0.span.start < $1.span.start }
    }
}

extension StatementMap {
    /// The memory orders of the expression, if it is an operation on an atomic or a fence; without its operands.
    fileprivate func orders(in expression: Syntax.Expression) -> [OrderPlace] {
        if case .call(let name, let arguments) = expression.kind, name.text == Keyword.fence.rawValue {
            return orderPlaces(.fence, orderWords(arguments))
        }
        guard let call = call(expression), let kind = call.method?.kindOfOrder, objects[call.object]?.isAtomic == true
        else {
            return []
        }
        let words = orderWords(call.arguments)
        if words.isEmpty {
            // The word is to be inserted before the `)`.
            let separator = call.arguments.isEmpty ? "" : ", "
            return [place(kind, nil, Span(call.span.end - 1, call.span.end - 1), separator)]
        }
        // The second order of a compare-exchange applies to its failure, which is a load.
        return orderPlaces(kind, words.prefix(1)) + orderPlaces(.load, words.dropFirst())
    }

    private func orderPlaces(_ kind: OrderPlace.Kind, _ words: some Sequence<OrderWord>) -> [OrderPlace] {
        words.map { place(kind, $0.order, $0.span) }
    }

    private func place(
        _ kind: OrderPlace.Kind, _ order: Keyword?, _ span: Span, _ separator: String = ""
    ) -> OrderPlace {
        OrderPlace(kind: kind, order: order, line: line(span), span: span, separator: separator)
    }

    private typealias OrderWord = (order: Keyword, span: Span)

    /// The memory orders among the arguments.
    private func orderWords(_ arguments: [Syntax.Argument]) -> [OrderWord] {
        arguments.compactMap { argument in
            guard case .name(let text) = argument.value.kind, objects[text] == nil,
                let order = Keyword(order: text)
            else { return nil }
            return (order: order, span: argument.value.span)
        }
    }
}
