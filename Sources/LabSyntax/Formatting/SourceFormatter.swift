/// Writes a file in its canonical form: the same tokens in the same order, without superfluous `;`, with uniform
/// spaces.
///
/// Line ends stay where the author put them, except around the braces of blocks. So the formatter works on tokens, not
/// on the syntax tree, and comments keep their places. In this file a number is the index of a token or of a comment.
struct SourceFormatter {
    private let source: SourceText
    private let tokens: [Token]
    private let comments: [Comment]
    private let roles: TokenRoles
    /// For the number of each brace, whether its block has more than one line.
    private let isMultiline: [Int: Bool]
    /// For each token, the number of the first token from there on that is not a `;`.
    private let beyondSemicolons: [Int]
    private var page = FormattedPage()
    /// The number of open braces.
    private var depth = 0
    /// What was written last.
    private var lastPiece: Piece?

    private enum Piece {
        case token(Int)
        case comment(Int)
    }

    init(_ parser: Parser) {
        source = parser.source
        tokens = parser.tokens.dropLast()
        comments = parser.comments
        roles = parser.roles
        isMultiline = Self.multilineBraces(tokens, source)
        var beyond = Array(0...tokens.count)
        for number in tokens.indices.reversed() where tokens[number].kind == .symbol(.semicolon) {
            beyond[number] = beyond[number + 1]
        }
        beyondSemicolons = beyond
    }

    mutating func format() -> String {
        var comment = 0
        for token in 0...tokens.count {
            while comment < comments.count, comments[comment].nextToken == token {
                write(comment: comment)
                comment += 1
            }
            if token < tokens.count, !isSuperfluous(token, hasCommentBehind: hasComment(comment, before: token + 1)) {
                write(token: token)
            }
        }
        return page.text
    }

    /// Whether there is a comment with this number, and the token is the first one after it.
    private func hasComment(_ comment: Int, before token: Int) -> Bool {
        comment < comments.count && comments[comment].nextToken == token
    }

    private static func multilineBraces(_ tokens: [Token], _ source: SourceText) -> [Int: Bool] {
        var open: [Int] = []
        var result: [Int: Bool] = [:]
        for (number, token) in tokens.enumerated() {
            if token.kind == .symbol(.openBrace) { open.append(number) }
            if token.kind == .symbol(.closeBrace), let start = open.popLast() {
                let isMultiline = source.line(of: tokens[start].span.start) != source.line(of: token.span.start)
                result[start] = isMultiline
                result[number] = isMultiline
            }
        }
        return result
    }

    // MARK: - Pieces

    private mutating func write(comment number: Int) {
        let comment = comments[number]
        let text = source.text(comment.span)
        if comment.startsLine {
            let indentation = depth + (isInsideStatement(comment) ? 1 : 0)
            page.newLine(indentation: indentation, isAfterBlank: isAfterBlank(comment.span, isClosing: false))
            page.append(text, space: false)
        } else {
            page.setComment(text)
        }
        lastPiece = .comment(number)
    }

    /// Whether the statement before the comment continues after the comment.
    private func isInsideStatement(_ comment: Comment) -> Bool {
        let next = beyondSemicolons[min(comment.nextToken, tokens.count)]
        return next < tokens.count && isContinuation(next)
    }

    private mutating func write(token number: Int) {
        if isSymbol(.closeBrace, number) { depth -= 1 }
        if breaksLine(before: number) {
            let isClosing = isSymbol(.closeBrace, number)
            page.newLine(
                indentation: depth + (isContinuation(number) ? 1 : 0),
                isAfterBlank: isAfterBlank(tokens[number].span, isClosing: isClosing))
        }
        page.append(source.text(tokens[number].span), space: needsSpace(before: number))
        if isSymbol(.openBrace, number) { depth += 1 }
        lastPiece = .token(number)
    }

    /// Whether the token is a `;` that separates nothing, such as one at the end of a line. A `;` is kept before a
    /// symbol that could otherwise continue the statement.
    private func isSuperfluous(_ number: Int, hasCommentBehind: Bool) -> Bool {
        guard isSymbol(.semicolon, number) else { return false }
        guard number + 1 < tokens.count else { return true }
        if number > 0, isSymbol(.openBrace, number - 1) || isSymbol(.closeBrace, number + 1) { return true }
        if isSymbol(.semicolon, number + 1) { return true }
        if case .symbol = tokens[number + 1].kind { return false }
        // The end of a line separates, too: after the `;`, or before a `;` that begins a line.
        return hasCommentBehind || tokens[number + 1].startsLine
            || tokens[number].startsLine && lineBreaks(before: tokens[number].span) > 0
    }

    // MARK: - Lines

    private var lastEnd: Int? {
        switch lastPiece {
        case .token(let number): tokens[number].span.end
        case .comment(let number): comments[number].span.end
        case nil: nil
        }
    }

    /// The number of line ends between the last piece and the span.
    private func lineBreaks(before span: Span) -> Int {
        guard let lastEnd else { return 0 }
        return source.line(of: span.start) - source.line(of: max(0, lastEnd - 1))
    }

    private func isAfterBlank(_ span: Span, isClosing: Bool) -> Bool {
        if isClosing { return false }
        if case .token(let last) = lastPiece, isSymbol(.openBrace, last) { return false }
        return lineBreaks(before: span) > 1
    }

    private func breaksLine(before number: Int) -> Bool {
        guard case .token(let last) = lastPiece else { return true }
        if isSymbol(.semicolon, number) { return false }
        if isMultiline[last] == true, isSymbol(.openBrace, last) { return true }
        if isMultiline[number] == true, isSymbol(.closeBrace, number) { return true }
        if isJoined(last, number) { return false }
        return lineBreaks(before: tokens[number].span) > 0
    }

    /// Whether two consecutive tokens must share a line: `{` is on the line of its statement, `else` on the line of the
    /// `}`.
    private func isJoined(_ last: Int, _ next: Int) -> Bool {
        isSymbol(.openBrace, next) || tokens[next].kind == .keyword(.else) || tokens[last].kind == .keyword(.else)
    }

    /// Whether the token, if it begins a line, continues the statement of the line before, and is indented more.
    private func isContinuation(_ number: Int) -> Bool {
        if beginsStatement(number) || tokens[number].kind == .keyword(.else) { return false }
        return ![Symbol.openBrace, .closeBrace, .closeParenthesis, .closeBracket].contains { isSymbol($0, number) }
    }

    private func beginsStatement(_ number: Int) -> Bool { number == 0 || roles.statements.contains(number) }

    // MARK: - Spaces

    private func needsSpace(before number: Int) -> Bool {
        guard case .token(let last) = lastPiece, case let kind = tokens[number].kind else { return false }
        // No space follows a prefix, except that `- -x` must not become `--x`.
        if roles.prefixes.contains(last) { return roles.prefixes.contains(number) }
        if roles.hyphens.contains(last) || roles.hyphens.contains(number) {
            return false
        }
        if case .symbol(let symbol) = tokens[last].kind, Self.gluedBehind.contains(symbol) { return false }
        guard case .symbol(let symbol) = kind else { return true }
        switch symbol {
        case .openParenthesis: return !roles.calls.contains(number)
        case .openBracket: return roles.lists.contains(number)
        default: return !Self.gluedBefore.contains(symbol)
        }
    }

    /// The symbols that have no space after them.
    private static let gluedBehind: Set<Symbol> = [
        .openParenthesis, .openBracket, .dot, .upTo, .through, .not, .invert,
    ]
    /// The symbols that have no space before them.
    private static let gluedBefore: Set<Symbol> = [
        .comma, .semicolon, .colon, .closeParenthesis, .closeBracket, .dot, .upTo, .through,
    ]

    private func isSymbol(_ symbol: Symbol, _ number: Int) -> Bool { tokens[number].kind == .symbol(symbol) }
}
