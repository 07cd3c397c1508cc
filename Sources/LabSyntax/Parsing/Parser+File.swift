import Recipes
import Text

extension Parser {
    /// Reads a whole file. Parts that could not be read have been reported, and are missing in the result.
    mutating func file() -> Syntax.File {
        var file = Syntax.File(title: "", description: [], items: [])
        scenario(&file)
        while !isAtEnd, !diagnostics.isFull {
            if accept(.semicolon) { continue }
            let start = position
            roles.statements.insert(start)
            do throws(Refused) {
                if let item = try item() { file.items.append(item) }
                try expectEnd(ofStatementFrom: start)
            } catch {
                if declaresNames(tokens[start]) { hasLostNames = true }
                if position == start || !(token.startsLine && isItemWord(token)) { skipItem() }
            }
        }
        return file
    }

    /// `scenario "name"`, the first line.
    private mutating func scenario(_ file: inout Syntax.File) {
        guard isAt(.scenario) else {
            diagnostics.report(SyntaxProblem.missingScenario, at: Span(token.span.start, token.span.start))
            return
        }
        file.description = descriptionBefore(position)
        advance()
        guard token.kind == .text, !token.startsLine else {
            _ = refuse(expected: "the scenario's name in quotation marks")
            skipItem()
            return
        }
        file.title = title()
        if !token.startsLine && !isAt(.semicolon) {
            _ = refuse(expected: "the end of the line")
            skipItem()
        }
    }

    /// What the name's text stands for: its escapes mean what they mean elsewhere.
    private mutating func title() -> String {
        let span = token.span
        // A mistake in it has been reported.
        guard let text = try? text() else { return "" }
        var title = ""
        for part in text.parts {
            switch part {
            case .words(let words): title += words
            case .value: diagnostics.report(SyntaxProblem.valueInTitle, at: span)
            }
        }
        if title.contains("\n") { diagnostics.report(SyntaxProblem.linesInTitle, at: span) }
        return title
    }

    /// The lines of the `///` comments directly before a token, without slashes.
    func descriptionBefore(_ token: Int) -> [String] {
        var low = 0
        var high = comments.count
        while low < high {
            let middle = (low + high) / 2
            if comments[middle].nextToken < token { low = middle + 1 } else { high = middle }
        }
        return comments[low...].prefix { $0.nextToken == token }.filter(\.isDescription).map { comment in
            let line = source.text(comment.span).dropFirst(3)
            return String(line.first == " " ? line.dropFirst() : line)
        }
    }

    /// After a statement or a declaration comes a new line, a `;` or a closing brace.
    mutating func expectEnd(ofStatementFrom start: Int) throws(Refused) {
        if token.startsLine || isAt(.semicolon) || isAt(.closeBrace) || isAtEnd { return }
        let hint = hintForRunOn(from: start)
        throw refuse(SyntaxProblem.noStatementEnd(found: description(token), hint: hint))
    }

    /// The likely meaning of two names in a row, such as `unlock m` or `int x`.
    private func hintForRunOn(from start: Int) -> String? {
        if case .symbol(let symbol) = token.kind { return Self.hint(forSign: symbol) }
        guard position == start + 1, tokens[start].kind == .name else {
            return token.kind == .name ? Self.wordOperators[text(token)] : nil
        }
        let first = text(tokens[start])
        if let hint = ForeignWords.statement(first) { return hint }
        guard token.kind == .name, isMember(first) else { return nil }
        return "write '\(text(token).printable).\(first)()'"
    }

    private func isMember(_ word: String) -> Bool {
        MemberName(rawValue: word) != nil || Recipe.all.contains { $0.methods.contains { $0.name == word } }
    }

    private static let wordOperators = [
        "and": "write '&&'", "or": "write '||'", "mod": "write '%'", "is": "write '=='",
    ]

    static func hint(forSign symbol: Symbol) -> String? {
        switch symbol {
        case .increment, .decrement: "write '\(symbol.rawValue.prefix(1))= 1'"
        case .question: "there is no '?:': write 'if'"
        case .colon: "write '='"
        default: nil
        }
    }
}
