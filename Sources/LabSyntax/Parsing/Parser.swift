/// Parses tokens by recursive descent. Reports an error where it is noticed, and then continues at the next statement
/// or declaration that can be recognized.
struct Parser {
    let source: SourceText
    let tokens: [Token]
    let comments: [Comment]
    /// The index of the current token.
    var position = 0
    var diagnostics: Diagnostics
    /// The number of open blocks and expressions.
    var depth = 0
    /// The roles of ambiguous signs, for the formatter.
    var roles = TokenRoles()
    /// Whether the file began with the scenario's name.
    var hasScenario = false
    /// Whether the current item of the file is a statement, which is allowed only in threads, functions and `finally`.
    var isLoose = false
    /// Whether the item before it was a statement.
    var wasLoose = false
    /// Whether a part that may declare names could not be parsed, so that uses of these names may seem to be unknown.
    var hasLostNames = false

    /// Thrown when parsing of a part is abandoned. The error in the source, or the one before it that it follows from,
    /// has been reported.
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
    /// The token before the current one, or the first token if the current one is the first.
    var previous: Token { tokens[max(0, position - 1)] }

    func token(after distance: Int) -> Token { tokens[min(position + distance, tokens.count - 1)] }

    func isAt(_ symbol: Symbol) -> Bool { token.kind == .symbol(symbol) }
    func isAt(_ keyword: Keyword) -> Bool { token.kind == .keyword(keyword) }

    /// Whether the token is this word, which is not reserved: it has a meaning in one place, and is a name elsewhere.
    func isAtWord(_ word: Keyword) -> Bool { token.kind == .name && text(token) == word.rawValue }

    func text(_ token: Token) -> String { source.text(token.span) }

    /// The token as shown in messages.
    func description(_ token: Token) -> String {
        switch token.kind {
        case .end: "the end of the file"
        case .text: "a text"
        default: quoted(text(token))
        }
    }

    // MARK: - Advancing

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

    /// Requires the `{` of a body.
    mutating func expectBody(_ hint: String? = nil) throws(Refused) {
        if !accept(.openBrace) { throw refuse(expected: "'{'", hint: hint ?? hintForBody()) }
    }

    /// - Parameter what: the thing that is named, for messages: "the mutex".
    mutating func expectName(_ what: String) throws(Refused) -> Syntax.Name {
        switch token.kind {
        case .name:
            advance()
            return Syntax.Name(text: text(previous), span: previous.span)
        case .keyword where !token.startsLine, .recipe where !token.startsLine:
            let isDeclaration = previous.kind == .symbol(.comma) && isItemWord(token)
            throw refuse(SyntaxProblem.keywordAsName(text(token), beginsDeclaration: isDeclaration))
        case .text: throw refuse(SyntaxProblem.textInsteadOfName(what))
        default: throw refuse(expected: "\(what)'s name")
        }
    }

    // MARK: - Mistakes

    /// Reports that something else is expected here. If the line has ended, the caret points after the last token.
    mutating func refuse(expected what: String, hint: String? = nil) -> Refused {
        // A token that begins a statement is itself wrong. Nothing is missing on the line before.
        let isMissing = token.startsLine && !roles.statements.contains(position)
        let found = isMissing ? lineEnd : description(token)
        let problem = SyntaxProblem.expected(what, found: found, hint: isMissing ? nil : hint)
        return refuse(problem, at: isMissing && position > 0 ? behindPrevious : token.span)
    }

    mutating func refuse(_ problem: SyntaxProblem, at span: Span? = nil, notes: [Diagnostic.Note] = []) -> Refused {
        diagnostics.report(problem, at: span ?? token.span, notes: notes)
        return Refused()
    }

    var lineEnd: String { isAtEnd ? "the end of the file" : "the end of the line" }

    /// The empty span after the previous token.
    var behindPrevious: Span { Span(previous.span.end, previous.span.end) }

    /// Runs the body, which parses a block or an expression inside another one. Refuses too many levels, so that the
    /// recursion cannot overflow the stack.
    mutating func nested<Result>(_ body: (inout Parser) throws(Refused) -> Result) throws(Refused) -> Result {
        guard depth < Limits.nesting else { throw refuse(SyntaxProblem.tooDeep) }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }
}

/// What the parser has found out about tokens, by their indices. The formatter needs it, since these tokens also have
/// other roles with other spaces or line breaks.
struct TokenRoles {
    /// A `-` before a value rather than between two.
    var prefixes: Set<Int> = []
    /// A `-` inside a name such as `lock-order`.
    var hyphens: Set<Int> = []
    /// A `[` that begins a list rather than a subscript.
    var lists: Set<Int> = []
    /// A `(` of a call or of parameters, which follows a word without a space.
    var calls: Set<Int> = []
    /// The first tokens of statements and declarations.
    var statements: Set<Int> = []
}

/// Recovery after errors.
extension Parser {
    /// Skips the rest of a statement, including its blocks: to the next line or `;`, or to the `}` that closes the
    /// block around it.
    mutating func skipStatement() {
        var braces = 0
        while !isAtEnd {
            if isAt(.openBrace) { braces += 1 }
            if isAt(.closeBrace) {
                if braces == 0 { return }
                braces -= 1
            }
            advance()
            if braces == 0, token.startsLine && !isAt(.openBrace) || isAt(.semicolon) { return }
            // The `}` of a skipped block is missing.
            if braces > 0, beginsItem { return }
        }
    }

    /// Skips the rest of a declaration, including its blocks: to the next line that is not indented more than its first
    /// line, or that begins with the word of a declaration.
    mutating func skipItem(from start: Int) {
        var braces = 0
        let margin = source.site(of: tokens[start].span.start).column
        repeat {
            if isAt(.openBrace) { braces += 1 }
            if isAt(.closeBrace) { braces -= 1 }
            advance()
        } while !isAtEnd
            && !(token.startsLine
                && (isItemWord(token) || braces <= 0 && source.site(of: token.span.start).column <= margin))
    }

    /// Whether a line begins here with a declaration that shows that the `}` of an open block is missing. Others, such
    /// as `shared`, are more likely to be misplaced in the block.
    var beginsItem: Bool {
        guard token.startsLine, case .keyword(let keyword) = token.kind else { return false }
        return [.scenario, .thread, .func, .finally, .expect, .parameter].contains(keyword)
    }

    /// Whether the item that begins with the token may declare names.
    func mayDeclareNames(_ token: Token) -> Bool {
        switch token.kind {
        case .keyword(let keyword): ![.expect, .run, .finally, .scenario].contains(keyword)
        default: true
        }
    }

    /// Whether the word begins a declaration, or another item of a file such as `expect`.
    func isItemWord(_ token: Token) -> Bool {
        switch token.kind {
        case .keyword(let keyword): keyword.group == .declaration && keyword != .with
        case .recipe: true
        case .name:
            [Keyword.recursive, .checking, .writersFirst, .invariant, .given, .task, .specification].contains {
                $0.rawValue == text(token)
            }
        default: false
        }
    }
}
