/// Reads tokens by recursive descent. A mistake is reported where it is noticed, and what follows is read on from the next
/// statement or declaration that can be made out.
struct Parser {
    let source: SourceText
    let tokens: [Token]
    let comments: [Comment]
    var position = 0
    var diagnostics: Diagnostics
    /// How many blocks and expressions are open.
    var depth = 0
    /// How many blocks are open.
    var openBlocks = 0
    /// What the formatter must know of signs that mean two things.
    var roles = TokenRoles()
    /// Whether a declaration could not be read, so that names may seem unknown that are not.
    var hasLostNames = false

    /// The mistake has been reported: only the way out is left.
    struct Refused: Error {}

    init(_ source: SourceText, _ lexer: Lexer) {
        self.source = source
        tokens = lexer.tokens
        comments = lexer.comments
        diagnostics = lexer.diagnostics
    }

    // MARK: - Looking at tokens

    var token: Token { tokens[position] }
    var isAtEnd: Bool { token.kind == .end }
    var previous: Token { tokens[max(0, position - 1)] }

    func token(after distance: Int) -> Token { tokens[min(position + distance, tokens.count - 1)] }

    func isAt(_ symbol: Symbol) -> Bool { token.kind == .symbol(symbol) }
    func isAt(_ keyword: Keyword) -> Bool { token.kind == .keyword(keyword) }

    /// A word that has a meaning here and is a name elsewhere.
    func isAtWord(_ word: Keyword) -> Bool { token.kind == .name && text(token) == word.rawValue }

    func text(_ token: Token) -> String { source.text(token.span) }

    /// The token as messages show it.
    func description(_ token: Token) -> String {
        switch token.kind {
        case .end: "the end of the file"
        case .text: "a text"
        default: quoted(text(token))
        }
    }

    // MARK: - Moving on

    mutating func advance() {
        if position < tokens.count - 1 { position += 1 }
    }

    mutating func accept(_ symbol: Symbol) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    mutating func accept(_ keyword: Keyword) -> Bool {
        guard isAt(keyword) else { return false }
        advance()
        return true
    }

    mutating func acceptWord(_ word: Keyword) -> Bool {
        guard isAtWord(word) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: Symbol, _ what: String? = nil) throws(Refused) {
        if !accept(symbol) { throw refuse(expected: what ?? "'\(symbol.rawValue)'") }
    }

    /// - Parameter what: what has a name here: "the mutex".
    mutating func expectName(_ what: String) throws(Refused) -> Syntax.Name {
        switch token.kind {
        case .name:
            advance()
            return Syntax.Name(text: text(previous), span: previous.span)
        case .keyword where !token.startsLine, .recipe where !token.startsLine:
            throw refuse(SyntaxProblem.keywordAsName(text(token)))
        case .text: throw refuse(SyntaxProblem.textInsteadOfName(what))
        default: throw refuse(expected: "\(what)'s name")
        }
    }

    // MARK: - Mistakes

    /// Reports that something else should stand here. The caret points behind the last token if the line ends there.
    mutating func refuse(expected what: String) -> Refused {
        let problem = SyntaxProblem.expected(what, found: token.startsLine ? lineEnd : description(token))
        return refuse(problem, at: token.startsLine && position > 0 ? behindPrevious : token.span)
    }

    mutating func refuse(_ problem: SyntaxProblem, at span: Span? = nil, notes: [Diagnostic.Note] = []) -> Refused {
        diagnostics.report(problem, at: span ?? token.span, notes: notes)
        return Refused()
    }

    var lineEnd: String { isAtEnd ? "the end of the file" : "the end of the line" }

    var behindPrevious: Span { Span(previous.span.end, previous.span.end) }

    /// Runs the body one level deeper.
    mutating func nested<Result>(_ body: (inout Parser) throws(Refused) -> Result) throws(Refused) -> Result {
        guard depth < Limits.nesting else { throw refuse(SyntaxProblem.tooDeep) }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }
}
