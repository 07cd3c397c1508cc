/// A sign, or several that belong together.
enum Symbol: String, CaseIterable {
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case semicolon = ";"
    case colon = ":"
    case dot = "."
    case arrow = "->"
    case upTo = "..<"
    case through = "..."
    case assign = "="
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case addAssign = "+="
    case subtractAssign = "-="
    case multiplyAssign = "*="
    case divideAssign = "/="
    case remainderAssign = "%="
    case bitAndAssign = "&="
    case bitOrAssign = "|="
    case bitXorAssign = "^="
    case shiftLeftAssign = "<<="
    case shiftRightAssign = ">>="
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case invert = "~"
    // Not in the language: recognized so that the message can suggest what to write instead
    case increment = "++"
    case decrement = "--"
    case question = "?"
    case at = "@"
    case hash = "#"
    case dollar = "$"
    case backslash = "\\"
    case backquote = "`"
    case apostrophe = "'"

    /// For each byte the symbols that begin with it, longest first.
    private static let byFirstByte: [[(bytes: [UInt8], symbol: Symbol)]] = {
        var table = [[(bytes: [UInt8], symbol: Symbol)]](repeating: [], count: 128)
        for symbol in allCases {
            let bytes = Array(symbol.rawValue.utf8)
            table[Int(bytes[0])].append((bytes, symbol))
        }
        return table.map { $0.sorted { $0.bytes.count > $1.bytes.count } }
    }()

    /// The longest symbol that the bytes begin with.
    static func first(of bytes: [UInt8], at position: Int, end: Int) -> (symbol: Symbol, length: Int)? {
        guard bytes[position] < 128 else { return nil }
        for (candidate, symbol) in byFirstByte[Int(bytes[position])]
        where position + candidate.count <= end
            && candidate.indices.allSatisfy({ bytes[position + $0] == candidate[$0] })
        {
            return (symbol, candidate.count)
        }
        return nil
    }

    /// `+` for `+=`.
    var assignedOperator: Operator? {
        guard rawValue.count > 1, rawValue.last == "=", self != .equal else { return nil }
        let sign = Operator(rawValue: String(rawValue.dropLast()))
        return sign?.isComparison == false ? sign : nil
    }
}
