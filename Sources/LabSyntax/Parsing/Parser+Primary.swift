import Text

/// Primary expressions: numbers, names, calls, lists and expressions in parentheses.
extension Parser {
    mutating func primary() throws(Refused) -> Syntax.Expression {
        let start = token.span
        switch token.kind {
        case .number: return try number(isNegative: false, from: start)
        case .name: return try nameOrCall()
        case .keyword(.true), .keyword(.false):
            advance()
            return node(.boolean(previous.kind == .keyword(.true)), start)
        case .keyword(.index):
            advance()
            return node(.index, start)
        case .keyword(.choose):
            advance()
            let arguments = try arguments()
            return node(.choose(arguments), start.through(previous.span), start, height(of: arguments))
        case .symbol(.openParenthesis):
            advance()
            let value = try expression()
            if isAt(.upTo) || isAt(.through) { throw refuse(.rangeAsValue) }
            if isAt(.assign) { throw refuse(.assignmentInCondition(instead: "==")) }
            try expect(.closeParenthesis)
            return value
        case .symbol(.openBracket): return try list()
        default: throw refusePrimary()
        }
    }

    private mutating func refusePrimary() -> Refused {
        switch token.kind {
        case .text: return refuse(.textAsValue)
        case .keyword where !token.startsLine, .recipe where !token.startsLine:
            return refuse(.keywordAsName(text(token), beginsDeclaration: false))
        case .symbol(let symbol) where symbol == .increment || symbol == .decrement:
            return refuse(.increment(symbol.rawValue))
        default: return refuse(expected: "a value", hint: hintForValue())
        }
    }

    private mutating func nameOrCall() throws(Refused) -> Syntax.Expression {
        let name = Syntax.Name(text: text(token), span: token.span)
        advance()
        guard isAt(.openParenthesis), !token.startsLine else { return node(.name(name.text), name.span) }
        let arguments = try arguments()
        return node(.call(name, arguments), name.span.through(previous.span), name.span, height(of: arguments))
    }

    private func height(of arguments: [Syntax.Argument]) -> Int { arguments.map(\.value.height).max() ?? 0 }

    private mutating func list() throws(Refused) -> Syntax.Expression {
        let start = token.span
        roles.lists.insert(position)
        advance()
        var values: [Syntax.Expression] = []
        while !isAt(.closeBracket) {
            values.append(try expression())
            if !accept(.comma) { break }
        }
        try expect(.closeBracket, "',' or ']'")
        return node(.list(values), start.through(previous.span), nil, values.map(\.height).max() ?? 0)
    }

    // MARK: - Numbers

    /// Parses a number together with the `-` before it, so that the smallest integer can be written. Nil: no number
    /// follows.
    mutating func negativeNumber(_ sign: Span) throws(Refused) -> Syntax.Expression? {
        guard token.kind == .number else { return nil }
        return try number(isNegative: true, from: sign)
    }

    private mutating func number(isNegative: Bool, from start: Span) throws(Refused) -> Syntax.Expression {
        let span = start.through(token.span)
        do throws(SyntaxProblem) {
            let value = try NumberText(text(token)).value(isNegative: isNegative)
            advance()
            return node(value, span)
        } catch {
            let refused = refuse(error)
            // Only the number is wrong: parsing can continue after it.
            advance()
            throw refused
        }
    }
}

/// String literals, with the expressions inside `\( )`.
extension Parser {
    mutating func text() throws(Refused) -> Syntax.Interpolation {
        guard token.kind == .text else { throw refuse(expected: "a text in quotation marks") }
        let span = token.span
        advance()
        var parts: [Syntax.Interpolation.Piece] = []
        var words: [UInt8] = []
        var offset = span.start + 1
        let end = textEnd(span)
        while offset < end {
            let byte = source.bytes[offset]
            guard byte == UInt8(ascii: "\\") else {
                words.append(byte)
                offset += 1
                continue
            }
            if offset + 1 < end, source.bytes[offset + 1] == UInt8(ascii: "(") {
                let close = source.closingParenthesis(from: offset + 2, before: end)
                if !words.isEmpty { parts.append(.words(String(decoding: words, as: UTF8.self))) }
                words = []
                parts.append(.value(try interpolation(Span(offset + 2, close))))
                offset = close + 1
            } else {
                words.append(try escape(at: offset, before: end))
                offset += 2
            }
        }
        if !words.isEmpty { parts.append(.words(String(decoding: words, as: UTF8.self))) }
        return Syntax.Interpolation(parts: parts, span: span)
    }

    /// The offset of the closing quotation mark; the end of the literal if the lexer has reported that there is none.
    private func textEnd(_ span: Span) -> Int {
        let hasEnd = span.end - span.start > 1 && source.bytes[span.end - 1] == UInt8(ascii: "\"")
        return hasEnd ? span.end - 1 : span.end
    }

    /// The character that an escape such as `\n` means.
    ///
    /// - Parameters:
    ///   - offset: the offset of the `\`.
    ///   - end: the end of the literal's contents.
    private mutating func escape(at offset: Int, before end: Int) throws(Refused) -> UInt8 {
        // Nothing follows the `\` at the end of an unterminated literal: a space makes it an unknown escape.
        let next = offset + 1 < end ? source.bytes[offset + 1] : UInt8(ascii: " ")
        switch next {
        case UInt8(ascii: "n"): return UInt8(ascii: "\n")
        case UInt8(ascii: "t"): return UInt8(ascii: "\t")
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return next
        default:
            let span = Span(offset, min(offset + 2, end))
            diagnostics.report(LexicalProblem.unknownEscape(source.text(span)), at: span)
            throw Refused()
        }
    }

    /// Parses the expression inside `\( )`, by a parser of its own.
    ///
    /// - Parameter span: the text between the parentheses.
    private mutating func interpolation(_ span: Span) throws(Refused) -> Syntax.Expression {
        var lexer = Lexer(source, span, diagnostics: diagnostics)
        lexer.read()
        var parser = Parser(source, lexer)
        parser.depth = depth
        defer { diagnostics = parser.diagnostics }
        if let comment = parser.comments.first { throw parser.refuse(.commentInText, at: comment.span) }
        let withParentheses = Span(span.start - 2, span.end + 1)
        if parser.isAtEnd { throw parser.refuse(.emptyInterpolation, at: withParentheses) }
        let value = try parser.expression()
        if !parser.isAtEnd { throw parser.refuse(expected: "')'") }
        return value
    }
}

/// The text of a number or of a duration with its unit: `1_000`, `0xFF`, `10ms`, `1.5s`.
struct NumberText {
    private let text: String

    init(_ text: String) { self.text = text }

    func value(isNegative: Bool) throws(SyntaxProblem) -> Syntax.Expression.Kind {
        let bare = text.filter { $0 != "_" }
        for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where bare.hasPrefix(prefix) {
            return .integer(try integer(bare.dropFirst(2), radix, isNegative))
        }
        let digits = bare.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = bare.dropFirst(digits.count)
        if unit.isEmpty {
            if digits.contains(".") { throw .fraction(text) }
            return .integer(try integer(digits, 10, isNegative))
        }
        // Hours are allowed only on the command line.
        if unit == "h" { throw .unknownUnit("h") }
        do throws(DurationText.Problem) {
            guard let time = Int(exactly: try DurationText.parse(bare)) else { throw .tooLong }
            return .duration(isNegative ? -time : time)
        } catch {
            switch error {
            case .unit(let unit): throw unit.allSatisfy(\.isLetter) ? .unknownUnit(unit) : .notANumber(text)
            case .notANumber: throw .notANumber(text)
            case .tooLong: throw .durationTooLong(text)
            case .tooFine: throw .durationTooFine(text)
            }
        }
    }

    private func integer(_ digits: Substring, _ radix: Int, _ isNegative: Bool) throws(SyntaxProblem) -> Int {
        let areDigits = digits.allSatisfy { digit in
            digit.isASCII && (digit.hexDigitValue.map { $0 < radix } ?? false)
        }
        guard !digits.isEmpty, areDigits else { throw .notANumber(text) }
        guard let value = Int((isNegative ? "-" : "") + digits, radix: radix) else { throw .integerTooLarge(text) }
        return value
    }
}
