/// A value's structure as text, without source places.
enum Outline {
    static func of(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { of($0.value) } ?? "nil" }
        let children = mirror.children.filter { !isPlace($0.value) && $0.label != "height" }
        if children.isEmpty, mirror.displayStyle != .collection, mirror.displayStyle != .struct { return "\(value)" }
        let parts = children.map { "\($0.label.map { $0 + ":" } ?? "")\(of($0.value))" }
        return "(\(parts.joined(separator: " ")))"
    }

    private static func isPlace(_ value: Any) -> Bool {
        String(describing: type(of: value)) == "Span" || String(describing: type(of: value)) == "Optional<Span>"
    }
}
