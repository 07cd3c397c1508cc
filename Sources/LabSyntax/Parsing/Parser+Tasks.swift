import Recipes
import Text

/// The parts of a task, a program that a learner is to change: `given` before declarations that have to stay as they
/// are, and `task { … }` with the limits of a solution.
extension Parser {
    /// Parses a given declaration, such as `given shared count = 0`.
    mutating func given() throws(Refused) -> Syntax.Item? {
        advance()
        let word = previous.span
        let next = token.span
        switch try item() {
        case .objects(var objects)?:
            objects.isGiven = true
            return .objects(objects)
        case .thread(var thread)?:
            thread.isGiven = true
            return .thread(thread)
        case .function(var function)?:
            function.isGiven = true
            return .function(function)
        case .parameter?: throw refuse(.notGivable("a parameter is given in any case: leave the word out"), at: word)
        case .finally?, .expect?, .run?, .task?, .specification?, nil:
            throw refuse(.notGivable("only objects, functions and threads are given"), at: word.through(next))
        }
    }

    mutating func task() throws(Refused) -> Syntax.TaskDeclaration {
        advance()
        let word = previous.span
        let brace = token.span
        advance()
        var rules: [Syntax.TaskRule] = []
        while !isAt(.closeBrace) {
            // A line that begins a declaration shows that the `}` is missing.
            if isAtEnd || beginsItem {
                let note = Diagnostic.Note(message: "this is the '{' that it closes", span: brace)
                throw refuse(.openBrace(before: lineEnd), at: behindPrevious, notes: [note])
            }
            if accept(.semicolon) { continue }
            let start = position
            roles.statements.insert(start)
            do throws(Refused) {
                rules += try taskRules()
                try expectEnd(ofStatementFrom: start)
            } catch {
                if diagnostics.isFull { throw error }
                // A token that begins a line may begin the next limit.
                if !(position > start && token.startsLine) { skipStatement() }
            }
        }
        try expect(.closeBrace)
        return Syntax.TaskDeclaration(rules: rules, word: word)
    }

    private static let ruleForms = "'at most N …', 'no …' or 'each THREAD calls FUNCTION'"

    private mutating func taskRules() throws(Refused) -> [Syntax.TaskRule] {
        if acceptText("at") {
            guard acceptText("most") else { throw refuse(expected: "'most'") }
            return try list { parser throws(Refused) in try parser.quantity() }
        }
        if acceptText("no") {
            return try list { parser throws(Refused) in try parser.forbidden() }
        }
        let start = token.span
        if acceptText("each") {
            let thread = try expectName("the thread")
            guard acceptText("calls") else { throw refuse(expected: "'calls'") }
            let function = try expectName("the function")
            return [.init(kind: .each(thread: thread, calls: function), span: start.through(function.span))]
        }
        throw refuse(expected: "a limit", hint: "write \(Self.ruleForms)")
    }

    /// Parses rules separated by commas.
    private mutating func list(
        _ rule: (inout Parser) throws(Refused) -> Syntax.TaskRule
    ) throws(Refused) -> [Syntax.TaskRule] {
        var rules: [Syntax.TaskRule] = []
        repeat { rules.append(try rule(&self)) } while accept(.comma)
        return rules
    }

    /// Parses what follows `at most`, such as `1 mutex`.
    private mutating func quantity() throws(Refused) -> Syntax.TaskRule {
        let start = token.span
        guard token.kind == .number, !token.startsLine else { throw refuse(expected: "a number") }
        let number: Int
        do throws(SyntaxProblem) {
            guard case .integer(let value) = try NumberText(text(token)).value(isNegative: false) else {
                throw .expected("a number", found: description(token), hint: nil)
            }
            number = value
        } catch {
            throw refuse(error)
        }
        advance()
        guard isAtAnyWord, !token.startsLine, let quantity = TaskQuantity(word: text(token)) else {
            let known = TaskQuantity.all.flatMap(\.words)
            let hint =
                suggestion(for: text(token), among: known)
                ?? "available: \(TaskQuantity.all.map { $0.words[$0.words.count - 1] }.joined(separator: ", "))"
            throw refuse(expected: "what is counted", hint: hint)
        }
        advance()
        return .init(kind: .atMost(number, quantity), span: start.through(previous.span))
    }

    /// Parses what follows `no`: a word of the language, such as `sleep`, or `busy waiting`.
    private mutating func forbidden() throws(Refused) -> Syntax.TaskRule {
        let start = token.span
        guard isAtAnyWord, !token.startsLine else { throw refuse(expected: "a word of the language") }
        if acceptText("busy") {
            guard acceptText("waiting") else { throw refuse(expected: "'waiting'") }
            return .init(kind: .noBusyWaiting, span: start.through(previous.span))
        }
        let name = Syntax.Name(text: text(token), span: token.span)
        guard Self.forbiddable.contains(name.text) else {
            let hint = suggestion(for: name.text, among: Self.forbiddable.sorted())
            throw refuse(.unknownForbidden(name.text, hint: hint))
        }
        advance()
        return .init(kind: .no(name), span: name.span)
    }

    private static let forbiddable = Set(Keyword.allWords + MemberName.allCases.map(\.rawValue) + recipeMembers)
    private static let recipeMembers = Recipe.all.flatMap { $0.methods.map(\.name) }

    /// Whether the token is a word, reserved or not.
    private var isAtAnyWord: Bool {
        switch token.kind {
        case .name, .keyword, .recipe: true
        case .number, .text, .symbol, .end: false
        }
    }

    /// Accepts a word that has a meaning only in a task, and so is not a `Keyword`.
    private mutating func acceptText(_ word: String) -> Bool {
        guard token.kind == .name, text(token) == word else { return false }
        advance()
        return true
    }
}
