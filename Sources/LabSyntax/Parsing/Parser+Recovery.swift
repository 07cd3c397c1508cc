/// Recovery after errors.
extension Parser {
    /// Skips the rest of a statement: to the next line or `;`, past whole blocks in between, or to the `}` that closes
    /// the block.
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
            if braces > 0, beginsItem { return }
        }
    }

    /// Skips to the next line, past whole blocks, or to a line that can only begin a declaration.
    mutating func skipItem() {
        var braces = 0
        repeat {
            if isAt(.openBrace) { braces += 1 }
            if isAt(.closeBrace) { braces -= 1 }
            advance()
        } while !isAtEnd && !(token.startsLine && (braces <= 0 || isItemWord(token)))
    }

    /// Whether a line begins here that cannot be part of a thread: then a `}` is missing before it.
    var beginsItem: Bool {
        guard token.startsLine, case .keyword(let keyword) = token.kind else { return false }
        return [.scenario, .thread, .func, .finally, .expect, .parameter].contains(keyword)
    }

    /// Whether the part that begins with the token would have declared names.
    func declaresNames(_ token: Token) -> Bool {
        switch token.kind {
        case .keyword(let keyword): ![.expect, .run, .finally, .scenario].contains(keyword)
        default: true
        }
    }

    /// Whether the word begins a declaration.
    func isItemWord(_ token: Token) -> Bool {
        switch token.kind {
        case .keyword(let keyword): keyword.group == .declaration && keyword != .with
        case .recipe: true
        case .name: [Keyword.recursive, .checking, .writersFirst, .invariant].contains { $0.rawValue == text(token) }
        default: false
        }
    }
}
