import Recipes

/// Declarations other than those of objects.
extension Parser {
    /// Parses a declaration. Nil: there was only a stray `}`, which has been reported.
    mutating func item() throws(Refused) -> Syntax.Item? {
        if case .recipe = token.kind { return .objects(try objects()) }
        guard case .keyword(let keyword) = token.kind else { return try itemWithoutKeyword() }
        switch keyword {
        case .parameter: return .parameter(try parameter())
        case .shared, .atomic, .mutex, .rwlock, .semaphore, .condition: return .objects(try objects())
        case .thread: return .thread(try thread())
        case .func: return .function(try function())
        case .finally:
            advance()
            let word = previous.span
            return .finally(try block(), word)
        case .run: return .run(try run())
        case .expect: return .expect(try expectation())
        case .scenario:
            // If the scenario's name is not first, that has been reported.
            throw hasScenario ? refuse(SyntaxProblem.secondScenario) : Refused()
        case .lock, .var, .let, .assert:
            throw refuse(.unknownItem(keyword.rawValue, instead: ForeignWords.item(keyword.rawValue)))
        default: throw refuseLoose(keyword.rawValue)
        }
    }

    private mutating func itemWithoutKeyword() throws(Refused) -> Syntax.Item? {
        if isAt(.closeBrace) {
            diagnostics.report(SyntaxProblem.looseBrace, at: token.span)
            advance()
            return nil
        }
        if isAtWord(.invariant) { return .expect(try invariant()) }
        if isAtWord(.given), !token(after: 1).startsLine, isItemWord(token(after: 1)) { return try given() }
        if isAtWord(.task), token(after: 1).kind == .symbol(.openBrace) { return .task(try task()) }
        if isAtWord(.specification), token(after: 1).kind == .symbol(.openBrace) {
            return .specification(try specification())
        }
        // The words that remain are those before `mutex` and `rwlock`, such as `recursive`.
        if isItemWord(token), !isAtWord(.given), !isAtWord(.task), !isAtWord(.specification) {
            return .objects(try objects())
        }
        guard token.kind == .name else {
            let hint = isAt(.hash) ? hintForHash : nil
            throw refuse(.expected("a declaration", found: description(token), hint: hint))
        }
        let word = text(token)
        if case .symbol(let next) = token(after: 1).kind,
            [.dot, .assign, .openParenthesis, .openBracket].contains(next) || next.assignedOperator != nil
        {
            throw refuseLoose(word, instead: hintForLooseStatement(word))
        }
        let known =
            Keyword.allCases.filter { $0.group == .declaration || $0.group == .modifier }.map(\.rawValue)
            + Recipe.all.map(\.word)
        // As in C: `int main() {` or `void worker() {`.
        let isFunction = ForeignWords.isType(word) && token(after: 2).kind == .symbol(.openParenthesis)
        let function = text(token(after: 1)) == "main" ? ForeignWords.item("main") : ForeignWords.item("def")
        let instead = isFunction ? function : ForeignWords.item(word)
        throw refuse(.unknownItem(word, instead: instead ?? suggestion(for: word, among: known)))
    }

    private mutating func parameter() throws(Refused) -> Syntax.ParameterDeclaration {
        let help = descriptionBefore(position)
        advance()
        let name = try expectName("the parameter")
        try refuseType(before: name, "parameter")
        let type = try typeAnnotation()
        guard accept(.assign) else {
            throw refuse(.missingInitialValue(isBoolean: text(previous) == "Bool"), at: behindPrevious)
        }
        let value = try assignedValue()
        let range = accept(.in) ? try bounds() : nil
        return Syntax.ParameterDeclaration(name: name, type: type, value: value, range: range, help: help)
    }

    /// Parses a range such as `1...8`.
    mutating func bounds() throws(Refused) -> Syntax.Bounds {
        let lower = try expression()
        let isClosed = isAt(.through)
        guard accept(.through) || accept(.upTo) else {
            throw refuse(expected: "'...' or '..<'", hint: hintForBounds(lower))
        }
        return Syntax.Bounds(lower: lower, upper: try expression(), isClosed: isClosed)
    }

    /// Parses a type annotation such as `: Int`, if there is one.
    mutating func typeAnnotation() throws(Refused) -> Syntax.TypeName? {
        accept(.colon) ? try typeName() : nil
    }

    mutating func typeName() throws(Refused) -> Syntax.TypeName {
        let start = token.span
        let isList = accept(.openBracket)
        if isList { roles.lists.insert(position - 1) }
        let types: [(word: Keyword, type: ValueType)] = [
            (.int, .integer), (.bool, .boolean), (.duration, .duration),
        ]
        guard let type = types.first(where: { isAtWord($0.word) })?.type else {
            throw refuse(expected: "'Int', 'Bool' or 'Duration'", hint: hintForType)
        }
        advance()
        if isList { try expect(.closeBracket) }
        return Syntax.TypeName(type: type, isList: isList, span: start.through(previous.span))
    }

    private mutating func thread() throws(Refused) -> Syntax.ThreadDeclaration {
        advance()
        let name = try expectName("the thread")
        let count = try elementCount()
        let body = try block(orElse: hintForThread(name.text))
        return Syntax.ThreadDeclaration(name: name, count: count, body: body)
    }

    /// Parses the number of elements of an array, such as `[3]`, if there is one.
    mutating func elementCount() throws(Refused) -> Syntax.Expression? {
        guard isAt(.openBracket), !token.startsLine else { return nil }
        advance()
        let count = try expression()
        try expect(.closeBracket)
        return count
    }

    private mutating func function() throws(Refused) -> Syntax.FunctionDeclaration {
        advance()
        let name = try expectName("the function")
        roles.calls.insert(position)
        try expect(.openParenthesis)
        var parameters: [Syntax.FunctionDeclaration.Parameter] = []
        while !isAt(.closeParenthesis) {
            let name = try expectName("the parameter")
            try refuseType(before: name, "")
            parameters.append(Syntax.FunctionDeclaration.Parameter(name: name, type: try typeAnnotation()))
            if !accept(.comma) { break }
        }
        try expect(.closeParenthesis, "',' or ')'")
        let result = accept(.arrow) ? try typeName() : nil
        return Syntax.FunctionDeclaration(name: name, parameters: parameters, result: result, body: try block())
    }
}

/// Declarations of objects that threads share.
extension Parser {
    mutating func objects() throws(Refused) -> Syntax.ObjectDeclaration {
        let kind = try objectKind()
        var declarators: [Syntax.Declarator] = []
        repeat { declarators.append(try declarator(kind)) } while accept(.comma)
        if case .condition = kind { try shareMutex(&declarators) }
        return Syntax.ObjectDeclaration(kind: kind, declarators: declarators)
    }

    private mutating func objectKind() throws(Refused) -> Syntax.ObjectDeclaration.Kind {
        if acceptWord(.recursive) {
            guard accept(.mutex) else { throw refuse(expected: "'mutex'") }
            return .mutex(.recursive)
        }
        if acceptWord(.checking) {
            guard accept(.mutex) else { throw refuse(expected: "'mutex'") }
            return .mutex(.checking)
        }
        if acceptWord(.writersFirst) {
            guard accept(.rwlock) else { throw refuse(expected: "'rwlock'") }
            return .readWriteLock(writersFirst: true)
        }
        advance()
        switch previous.kind {
        case .keyword(.shared): return .shared
        case .keyword(.atomic): return .atomic
        case .keyword(.mutex): return .mutex(.normal)
        case .keyword(.rwlock): return .readWriteLock(writersFirst: false)
        case .keyword(.semaphore): return .semaphore
        case .recipe(let recipe): return .built(recipe)
        default: return .condition
        }
    }

    private mutating func declarator(_ kind: Syntax.ObjectDeclaration.Kind) throws(Refused) -> Syntax.Declarator {
        let word = text(previous)
        // `mutex [3] m`, with the number of elements before the name.
        if isAt(.openBracket), token(after: 2).kind == .symbol(.closeBracket), token(after: 3).kind == .name {
            let (count, name) = (text(token(after: 1)), text(token(after: 3)))
            throw refuse(expected: "\(kind.noun)'s name", hint: "write '\(word) \(name)[\(count)]'".printable)
        }
        var declarator = Syntax.Declarator(name: try expectName(kind.noun))
        try refuseType(before: declarator.name, word)
        declarator.count = try elementCount()
        try refuseInitialValue(kind, declarator.name)
        switch kind {
        case .shared, .atomic:
            declarator.type = try typeAnnotation()
            guard accept(.assign) else {
                throw refuse(.missingInitialValue(isBoolean: text(previous) == "Bool"), at: behindPrevious)
            }
            declarator.value = try assignedValue()
        case .semaphore:
            if accept(.assign) { declarator.value = try assignedValue() }
        case .built(let recipe):
            guard let number = recipe.number else { break }
            roles.calls.insert(position)
            guard accept(.openParenthesis) else {
                throw refuse(expected: "'(' and the \(number.name), for example '(2)'")
            }
            declarator.number = try expression()
            try expect(.closeParenthesis)
        case .condition:
            if accept(.with) { declarator.mutex = try place() }
        case .mutex, .readWriteLock: break
        }
        return declarator
    }

    /// Gives all conditions in `condition notEmpty, notFull with m` the same mutex.
    private mutating func shareMutex(_ declarators: inout [Syntax.Declarator]) throws(Refused) {
        guard var mutex = declarators.last?.mutex else {
            throw refuse(expected: "'with' and the condition's mutex, for example 'with m'")
        }
        for i in declarators.indices.reversed() {
            if let own = declarators[i].mutex { mutex = own } else { declarators[i].mutex = mutex }
        }
    }
}

extension Syntax.ObjectDeclaration.Kind {
    /// Such an object in messages, for example "the mutex".
    var noun: String {
        switch self {
        case .shared: "the shared variable"
        case .atomic: "the atomic"
        case .mutex: "the mutex"
        case .readWriteLock: "the read-write lock"
        case .semaphore: "the semaphore"
        case .condition: "the condition"
        case .built(let recipe): "the \(recipe.word)"
        }
    }
}
