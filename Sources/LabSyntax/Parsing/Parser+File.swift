/// A whole file, and the ends of statements and declarations.
extension Parser {
    /// Parses a whole file. Reports the parts that cannot be parsed, and leaves them out.
    mutating func file() -> Syntax.File {
        var file = Syntax.File(title: "", description: [], items: [])
        scenario(&file)
        while !isAtEnd, !diagnostics.isFull {
            if accept(.semicolon) { continue }
            let start = position
            // Of consecutive statements outside of threads, only the first is reported.
            (wasLoose, isLoose) = (isLoose, false)
            roles.statements.insert(start)
            do throws(Refused) {
                if let item = try item() {
                    file.items.append(item)
                    file.spans.append(tokens[start].span.through(previous.span))
                }
                try expectEnd(ofStatementFrom: start)
            } catch {
                if mayDeclareNames(tokens[start]) { hasLostNames = true }
                // If parsing stopped where the next item begins, that item is not skipped.
                if position == start || !(token.startsLine && isItemWord(token)) { skipItem(from: start) }
            }
        }
        return file
    }

    /// Parses `scenario "name"` and the comment before it, with which a file begins.
    private mutating func scenario(_ file: inout Syntax.File) {
        hasScenario = isAt(.scenario)
        guard hasScenario else {
            diagnostics.report(SyntaxProblem.missingScenario, at: Span(token.span.start, token.span.start))
            return
        }
        file.description = descriptionBefore(position)
        advance()
        guard token.kind == .text, !token.startsLine else {
            _ = refuse(expected: "the scenario's name in quotation marks")
            skipItem(from: position)
            return
        }
        file.title = plainText("a scenario's name")
        if !token.startsLine && !isAt(.semicolon) {
            let hint = isAt(.openBrace) ? "leave the braces out: a file is one scenario" : nil
            _ = refuse(expected: "the end of the line", hint: hint)
            skipItem(from: position)
        }
    }

    /// Parses a string literal that must not contain `\( )`, and returns its value, with its escapes replaced.
    ///
    /// - Parameter what: what the literal is, for messages: "a program's path".
    private mutating func plainText(_ what: String) -> String {
        let span = token.span
        // A mistake in the literal has already been reported.
        guard let text = try? text() else { return "" }
        var plain = ""
        for part in text.parts {
            switch part {
            case .words(let words): plain += words
            case .value: diagnostics.report(SyntaxProblem.valueInText(what), at: span)
            }
        }
        if plain.contains("\n") { diagnostics.report(SyntaxProblem.linesInText(what), at: span) }
        return plain
    }

    /// The lines of the `///` comments directly before a token, without slashes.
    ///
    /// - Parameter token: the token's index.
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

    /// Requires the end of a statement or declaration: a new line, a `;` or a closing brace.
    mutating func expectEnd(ofStatementFrom start: Int) throws(Refused) {
        if token.startsLine || isAt(.semicolon) || isAt(.closeBrace) || isAtEnd { return }
        let hint = hintForRunOn(from: start)
        throw refuse(SyntaxProblem.noStatementEnd(found: description(token), hint: hint))
    }
}

/// `run`, `expect` and `invariant`.
extension Parser {
    mutating func run() throws(Refused) -> Syntax.RunDeclaration {
        advance()
        let target = try runTarget()
        var arguments: [Syntax.RunDeclaration.Argument] = []
        roles.calls.insert(position)
        guard accept(.openParenthesis) else { return Syntax.RunDeclaration(target: target, arguments: []) }
        while !isAt(.closeParenthesis) {
            let name = try hyphenatedName("the parameter")
            try expect(.colon)
            let start = token.span
            let value = try runValue()
            arguments.append(
                Syntax.RunDeclaration.Argument(name: name, value: value, valueSpan: start.through(previous.span)))
            if !accept(.comma) { break }
        }
        try expect(.closeParenthesis, "',' or ')'")
        return Syntax.RunDeclaration(target: target, arguments: arguments)
    }

    private mutating func runTarget() throws(Refused) -> Syntax.RunDeclaration.Target {
        guard token.kind == .text, !token.startsLine else {
            return .scenario(try hyphenatedName("the built-in scenario"))
        }
        let span = token.span
        return .program(plainText("a program's path"), span)
    }

    /// Parses the value of an argument of `run`: a word such as `conditions`, a string literal, or a constant.
    private mutating func runValue() throws(Refused) -> Syntax.RunDeclaration.Argument.Value {
        if token.kind == .text { return .text(plainText("what a program is given")) }
        let start = position
        if isWord(token), let name = try? hyphenatedName("the value"), isAt(.comma) || isAt(.closeParenthesis) {
            return .word(name.text)
        }
        // The word only begins the value, as in `size * 2`.
        position = start
        return .expression(try expression())
    }

    private func isWord(_ token: Token) -> Bool {
        switch token.kind {
        case .name, .recipe: true
        case .keyword(let keyword): keyword != .true && keyword != .false
        default: false
        }
    }

    /// Parses a hyphenated word such as `lock-order`: words and numbers joined by hyphens, without spaces.
    private mutating func hyphenatedName(_ what: String) throws(Refused) -> Syntax.Name {
        guard isWord(token), !token.startsLine else { throw refuse(expected: "\(what)'s name") }
        let start = token.span
        advance()
        while isAt(.subtract), token.span.start == previous.span.end, token(after: 1).span.start == token.span.end,
            isWord(token(after: 1)) || token(after: 1).kind == .number
        {
            roles.hyphens.insert(position)
            advance()
            advance()
        }
        let span = start.through(previous.span)
        return Syntax.Name(text: source.text(span), span: span)
    }

    mutating func expectation() throws(Refused) -> Syntax.ExpectDeclaration {
        advance()
        let start = token.span
        var model: ModelWord?
        if acceptWord(.under) {
            let name = try expectName("the memory model")
            model = ModelWord(rawValue: name.text)
            if model == nil { throw refuse(.unknownModel(name.text), at: name.span) }
        }
        let isBroken = acceptWord(.broken)
        let kind = isBroken ? try brokenKind() : try expectationKind()
        return Syntax.ExpectDeclaration(
            kind: kind, isBroken: isBroken, model: model, span: start.through(previous.span))
    }

    /// Parses `invariant inside <= 1`.
    mutating func invariant() throws(Refused) -> Syntax.ExpectDeclaration {
        advance()
        let start = token.span
        let kind = Syntax.ExpectDeclaration.Kind.invariant(try condition())
        return Syntax.ExpectDeclaration(kind: kind, model: nil, span: start.through(previous.span))
    }

    private mutating func expectationKind() throws(Refused) -> Syntax.ExpectDeclaration.Kind {
        if acceptWord(.completes) { return .completes }
        if acceptWord(.always) { return .always(try condition()) }
        if acceptWord(.never) { return .never(try condition()) }
        if acceptWord(.sometimes) { return .sometimes(try condition()) }
        if acceptWord(.possible) { return .possible(try condition()) }
        if acceptWord(.eventually) { return .eventually(try condition()) }
        if acceptWord(.outcomes) { return .outcomes(try finalValues()) }
        if acceptWord(.linearizable) { return .linearizable }
        if isClaimWithoutWord { throw refuse(.claimWithoutWord) }
        if acceptWord(.warning) { return .warnings(try hyphenatedNames("the warning")) }
        return .findings(try hyphenatedNames("what is expected, or its outcome"))
    }

    /// Parses the claim after `broken`, which some run must break. `sometimes` and `possible` cannot follow: `never`
    /// and an invariant claim the opposite.
    private mutating func brokenKind() throws(Refused) -> Syntax.ExpectDeclaration.Kind {
        if acceptWord(.always) { return .always(try condition()) }
        if acceptWord(.never) { return .never(try condition()) }
        if acceptWord(.eventually) { return .eventually(try condition()) }
        if acceptWord(.invariant) { return .invariant(try expression()) }
        if acceptWord(.outcomes) { return .outcomes(try finalValues()) }
        if acceptWord(.linearizable) { return .linearizable }
        throw refuse(expected: "'always', 'never', 'invariant', 'eventually', 'outcomes' or 'linearizable'")
    }

    private mutating func hyphenatedNames(_ what: String) throws(Refused) -> [Syntax.Name] {
        var names: [Syntax.Name] = []
        repeat { names.append(try hyphenatedName(what)) } while accept(.comma)
        return names
    }

    /// Parses the rows of `outcomes`: `{ r0 == 0 && r1 == 1; r0 == 1 && r1 == 0 }`.
    private mutating func finalValues() throws(Refused) -> [Syntax.Expression] {
        let brace = token.span
        try expect(.openBrace)
        var rows: [Syntax.Expression] = []
        while !isAt(.closeBrace) {
            // A line that begins a declaration shows that the `}` is missing.
            if isAtEnd || beginsItem {
                let note = Diagnostic.Note(message: "this is the '{' that it closes", span: brace)
                throw refuse(.openBrace(before: lineEnd), at: behindPrevious, notes: [note])
            }
            if accept(.semicolon) { continue }
            let start = position
            roles.statements.insert(start)
            rows.append(try expression())
            try expectEnd(ofStatementFrom: start)
        }
        try expect(.closeBrace)
        return rows
    }
}
