extension Program {
    /// `"took \(item)"`: its parts, in order.
    package struct Text: Sendable {
        package enum Part: Sendable {
            case words(String)
            case value(Expression)
        }

        package var parts: [Part]

        package init(parts: [Part]) { self.parts = parts }
    }
}
