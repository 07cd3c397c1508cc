import LabSyntax

/// A text whose values are on the stack when it is needed.
struct CompiledText {
    enum Part {
        case words(String)
        case value(ValueType)
    }

    var parts: [Part]

    func text(_ values: UnsafePointer<Int>) -> String {
        var text = ""
        var next = 0
        for part in parts {
            switch part {
            case .words(let words): text += words
            case .value(let type):
                text += type.text(of: values[next])
                next += 1
            }
        }
        return text
    }
}

extension ValueType {
    /// As written in the language.
    func text(of value: Int) -> String {
        switch self {
        case .integer: return "\(value)"
        case .boolean: return value == 0 ? "false" : "true"
        case .duration:
            for (unit, length) in [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000)] where value % length == 0 {
                if value != 0 { return "\(value / length)\(unit)" }
            }
            return "\(value)ns"
        }
    }
}
