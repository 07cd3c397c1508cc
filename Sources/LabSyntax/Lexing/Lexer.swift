/// Splits a source text into tokens and comments. Continues after errors.
struct Lexer {
    let source: SourceText
    let bytes: [UInt8]
    let end: Int
    var position: Int
    var tokens: [Token] = []
    var comments: [Comment] = []
    var diagnostics: Diagnostics
    /// Whether a line has begun since the last token.
    private var isNewLine = true

    /// - Parameter range: the part to read. Nil: the whole text.
    init(_ source: SourceText, _ range: Span? = nil, diagnostics: Diagnostics = Diagnostics()) {
        self.source = source
        bytes = source.bytes
        position = range?.start ?? 0
        end = range?.end ?? source.bytes.count
        self.diagnostics = diagnostics
    }

    /// Reads the whole range. The last token is `end`.
    mutating func read() {
        // Only the whole text begins at 0. Other ranges are inside string literals.
        if position == 0 { checkLines() }
        // A byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) && position == 0 { position = 3 }
        while position < end { readNext() }
        tokens.append(Token(kind: .end, span: Span(end, end), startsLine: true))
    }

    /// Reports too many lines, and a carriage return without a line feed. Editors may show such a carriage return as
    /// the end of a line, so that text after it looks like code although the lexer skips it as part of a comment.
    private mutating func checkLines() {
        if source.lineCount > Limits.lines {
            diagnostics.report(LexicalProblem.tooManyLines(source.lineCount), at: Span(0, 0))
        }
        let alone = bytes.indices.first { place in
            bytes[place] == UInt8(ascii: "\r") && (place + 1 == end || bytes[place + 1] != UInt8(ascii: "\n"))
        }
        if let alone { diagnostics.report(LexicalProblem.carriageReturn, at: Span(alone, alone + 1)) }
    }

    private mutating func readNext() {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "\n"):
            isNewLine = true
            position += 1
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): readComment()
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber()
        case UInt8(ascii: "\""): readText()
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): readWord()
        default: readOther()
        }
    }

    func peek(_ distance: Int) -> UInt8? { position + distance < end ? bytes[position + distance] : nil }

    mutating func append(_ kind: Token.Kind, from start: Int) {
        tokens.append(Token(kind: kind, span: Span(start, position), startsLine: isNewLine))
        isNewLine = false
    }

    private mutating func readWord() {
        let start = position
        skipWord()
        if position - start > Limits.nameBytes {
            diagnostics.report(LexicalProblem.nameTooLong, at: Span(start, position))
        }
        let mayBeReserved = position - start <= Token.longestReserved
        append(mayBeReserved ? Token.reserved[source.text(Span(start, position))] ?? .name : .name, from: start)
    }

    /// Skips `_`, and letters and digits of any script.
    private mutating func skipWord() {
        while let byte = peek(0) {
            if byte < 128 {
                guard Self.isWordByte(byte) else { return }
                position += 1
            } else {
                guard let scalar = scalar(at: position), scalar.properties.isXIDContinue else { return }
                position += UTF8.width(scalar)
            }
        }
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Reads digits, a fraction, and the letters directly after them, so that `10mss` is one wrong number rather than a
    /// number and a name.
    private mutating func readNumber() {
        let start = position
        skipWord()
        if peek(0) == UInt8(ascii: "."), let next = peek(1), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) {
            position += 1
            skipWord()
        }
        append(.number, from: start)
    }

    private mutating func readOther() {
        if let (symbol, length) = Symbol.first(of: bytes, at: position, end: end) {
            let start = position
            position += length
            append(.symbol(symbol), from: start)
        } else if let scalar = scalar(at: position), scalar.properties.isXIDStart {
            readWord()
        } else {
            refuseCharacter()
        }
    }

    /// Reports characters that are not part of the language, once per sequence.
    private mutating func refuseCharacter() {
        let start = position
        guard let scalar = scalar(at: position) else {
            let byte = bytes[position]
            while position < end, bytes[position] >= 128, self.scalar(at: position) == nil { position += 1 }
            diagnostics.report(LexicalProblem.notUTF8(byte: byte), at: Span(start, position))
            return
        }
        while self.scalar(at: position) == scalar { position += UTF8.width(scalar) }
        let instead = Self.typographic[scalar]
        diagnostics.report(LexicalProblem.strangeCharacter(scalar, instead: instead), at: Span(start, position))
    }

    /// The character at a position. Nil at the end, and where the bytes are not UTF-8.
    func scalar(at offset: Int) -> Unicode.Scalar? {
        guard offset < end else { return nil }
        var iterator = bytes[offset..<min(offset + 4, end)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return scalar
    }

    /// Characters from word processors and mathematics, and what to write instead.
    private static let typographic: [Unicode.Scalar: String] = [
        "“": "'\"'", "”": "'\"'", "„": "'\"'", "«": "'\"'", "»": "'\"'", "–": "'-'", "—": "'-'", "−": "'-'",
        "×": "'*'", "÷": "'/'", "≠": "'!='", "≤": "'<='", "≥": "'>='", "∧": "'&&'", "∨": "'||'", "¬": "'!'",
        "…": "'...'", "→": "'->'", "\u{A0}": "an ordinary space",
    ]

    // MARK: - Comments

    private mutating func readComment() {
        let start = position
        while let byte = peek(0), byte != UInt8(ascii: "\n") { position += 1 }
        var stop = position
        while stop > start + 2, [UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[stop - 1]) {
            stop -= 1
        }
        let slashes = bytes[start..<stop].prefix(4).prefix { $0 == UInt8(ascii: "/") }.count
        comments.append(
            Comment(
                span: Span(start, stop), isDescription: slashes == 3, startsLine: isNewLine, nextToken: tokens.count))
    }

    private mutating func skipBlockComment() {
        let start = position
        position += 2
        var depth = 1
        while depth > 0, position < end {
            if bytes[position] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                position += 2
            } else if bytes[position] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                position += 2
            } else {
                position += 1
            }
        }
        let problem: LexicalProblem = depth > 0 ? .openBlockComment : .blockComment
        diagnostics.report(problem, at: Span(start, start + 2))
    }
}

/// String literals. The parser later splits the contents of `\( )` into tokens.
extension Lexer {
    mutating func readText() {
        let start = position
        position += 1
        // The number of open parentheses in `\( )`. 0: outside of it.
        var depth = 0
        while let byte = peek(0), byte != UInt8(ascii: "\n") {
            position += 1
            switch byte {
            case UInt8(ascii: "\\") where depth == 0:
                if peek(0) == UInt8(ascii: "(") { depth = 1 }
                if let next = peek(0), next != UInt8(ascii: "\n") { position += 1 }
            case UInt8(ascii: "(") where depth > 0: depth += 1
            case UInt8(ascii: ")") where depth > 0: depth -= 1
            case UInt8(ascii: "\""):
                if depth > 0 {
                    diagnostics.report(LexicalProblem.textInsideText, at: Span(position - 1, position))
                }
                return finishText(from: start)
            default: break
            }
        }
        diagnostics.report(LexicalProblem.openText, at: Span(start, position))
        append(.text, from: start)
    }

    private mutating func finishText(from start: Int) {
        if position - start > Limits.textBytes {
            diagnostics.report(LexicalProblem.textTooLong, at: Span(start, position))
        }
        append(.text, from: start)
    }
}
