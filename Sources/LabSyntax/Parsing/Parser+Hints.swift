import Recipes
import Text

/// Hints for code that is written as in C, Java, Python or Go. A comment "For `…`" shows code that brings about the
/// hint.
extension Parser {
    /// Parses a condition, in which an `=` is the most common slip.
    mutating func condition() throws(Refused) -> Syntax.Expression {
        let value = try expression()
        guard isAt(.assign), !token.startsLine else { return value }
        let next = token(after: 1)
        let joined = next.span.start == token.span.end ? Self.reversed[text(next)] : nil
        throw refuse(.assignmentInCondition(instead: joined ?? "=="))
    }

    /// By the sign after an `=`, the operator that `=>` or `=<` is meant to be.
    private static let reversed = [">": ">=", "<": "<="]

    // MARK: - Where a value is expected

    /// A hint for a token that cannot begin the expected value, by what it means in another language.
    func hintForValue() -> String? {
        guard case .symbol(let symbol) = token.kind else { return nil }
        let isJoined = position > 0 && previous.span.end == token.span.start
        switch (symbol, previous.kind) {
        case (.hash, _): return hintForHash
        case (.apostrophe, _): return "texts are in double quotation marks"
        case (.dollar, _): return "a name has no '$'"
        case (.bitAnd, _): return "there are no addresses: leave the '&' out"
        case (.multiply, .symbol(.multiply)) where isJoined: return "there is no power: multiply"
        case (.assign, .symbol(.equal)) where isJoined: return "write '=='"
        case (.greater, .symbol(.less)) where isJoined: return "write '!='"
        case (.greater, .symbol(.assign)) where isJoined: return "write '>='"
        case (.less, .symbol(.assign)) where isJoined: return "write '<='"
        case (.less, _) where isArrow: return Self.hintForChannel
        case (.openBrace, .symbol(.assign)): return "a list is in brackets: '[1, 2, 3]'"
        default: return nil
        }
    }

    /// Whether Go's `<-` is here, as in `c <- x` or `x = <-c`. `a <-b` compares `a` with a negative value.
    var isArrow: Bool {
        let (next, last) = (token(after: 1), token(after: 2))
        return isAt(.less) && next.kind == .symbol(.subtract) && next.span.start == token.span.end
            && (last.span.start > next.span.end || previous.kind == .symbol(.assign))
    }

    static let hintForChannel = "there are no channels: a list has 'append' and 'removeFirst'"

    /// For `# a comment`, `#include <pthread.h>`, `#define N 3`.
    var hintForHash: String {
        switch text(token(after: 1)) {
        case "include", "import", "pragma": "leave the line out: nothing has to be included"
        case "define": "write 'parameter \(definedName) = …'"
        default: "comments begin with '//'"
        }
    }

    private var definedName: String {
        let name = token(after: 2)
        return name.kind == .name && !name.startsLine ? text(name).printable : "n"
    }

    // MARK: - Where a body is expected

    /// What to write if the body of a statement or of a declaration does not begin here.
    func hintForBody() -> String? {
        switch token.kind {
        case .symbol(.colon): return "a body is in braces: '{ … }'"
        case .symbol(.semicolon), .symbol(.closeBrace):
            return "an empty body is '{ }'; to wait for a change, write 'await'"
        case .name:
            let word = text(token)
            if let hint = Self.wordOperators[word] { return hint }
            if position > 0, text(previous) == "not" { return "write '!\(word.printable)'" }
            return ["then", "do", "begin", "times"].contains(word)
                ? "write '{' instead of '\(word)'" : "a body is in braces, even if it is one statement: '{ … }'"
        case .keyword(let keyword) where keyword.group == .statement:
            return "a body is in braces, even if it is one statement: '{ … }'"
        default: return nil
        }
    }

    /// For `thread t(n) { … }`, `thread t = f`.
    func hintForThread(_ name: String) -> String? {
        switch token.kind {
        case .symbol(.openParenthesis):
            "a thread takes no arguments; 'thread \(name.printable)[3]' is three of them, with an 'index'"
        case .symbol(.assign): "what it does follows in braces: 'thread \(name.printable) { … }'"
        default: hintForBody()
        }
    }

    // MARK: - Loops

    /// For `for (int i = 0; …`, `for i := 0; …`, `for {`.
    mutating func refuseLoop(expected what: String) -> Refused {
        let hint = isAt(.openBrace) ? "write 'while true { … }'" : "write 'for i in 0..<n { … }'"
        let refused = refuse(expected: what, hint: hint)
        // The parts of the loop's head must not be read as statements.
        while !isAt(.openBrace), !token(after: 1).startsLine, !isAtEnd { advance() }
        return refused
    }

    /// For `for i in range(3)`, `for x in list`.
    func hintForBounds(_ lower: Syntax.Expression) -> String {
        if case .call(let name, let arguments) = lower.kind, name.text == "range" {
            let bounds = arguments.map { source.text($0.value.span).printable }
            if bounds.count == 1 { return "write '0..<\(bounds[0])'" }
            if bounds.count == 2 { return "write '\(bounds[0])..<\(bounds[1])'" }
        }
        if case .name(let name) = lower.kind { return "for a list, write '0..<\(name.printable).count'" }
        return "for example '0..<3'"
    }

    // MARK: - Declarations

    /// For `shared int x`, where the parser has taken `int` for the variable's name, and for `shared x int`.
    ///
    /// - Parameter word: the word before the name, such as `shared`. Empty for a function's parameter.
    mutating func refuseType(before declared: Syntax.Name, _ word: String) throws(Refused) {
        guard token.kind == .name, !token.startsLine, previous.span == declared.span else { return }
        if ForeignWords.isType(declared.text) {
            let written = (word.isEmpty ? "" : word + " ") + text(token).printable
            throw refuse(.typeBeforeName(declared.text, written: written), at: declared.span)
        }
        if let type = ForeignWords.type(text(token)) {
            throw refuse(.typeWithoutColon(text(token), written: "\(declared.text.printable): \(type)"))
        }
    }

    /// For `mutex m = new Mutex()`, `mutex m()`.
    mutating func refuseInitialValue(_ kind: Syntax.ObjectDeclaration.Kind, _ name: Syntax.Name) throws(Refused) {
        guard !token.startsLine, isAt(.assign) || isAt(.openParenthesis) else { return }
        switch kind {
        case .mutex, .readWriteLock: throw refuse(.noInitialValue(kind.noun, name.text))
        case .semaphore where isAt(.openParenthesis):
            let value = token(after: 1)
            let number = value.kind == .number ? text(value) : "1"
            throw refuse(.valueInParentheses("semaphore \(name.text) = \(number)"))
        default: return
        }
    }

    /// For a type in another language's spelling, such as `: int`.
    var hintForType: String? {
        let word = text(token)
        if isAt(.assign) { return "write '=' instead of ':='" }
        if word == "void" || word == "Void" || word == "None" {
            return "leave it out: a function without '->' returns nothing"
        }
        return ForeignWords.type(word).map { "write '\($0)'" }
    }

    // MARK: - Objects

    /// For `lock(m) { … }`, `join(t[0])`.
    var hintForPlace: String? {
        guard let name = textInParentheses else { return nil }
        let word = text(previous).printable
        return previous.kind == .keyword(.lock)
            ? "write 'lock \(name) { … }', or '\(name).lock()'" : "write '\(word) \(name)'"
    }

    /// The text between the parentheses that begin here, if they end on this line and are not empty.
    private var textInParentheses: String? {
        guard isAt(.openParenthesis) else { return nil }
        var distance = 1
        while token(after: distance).kind != .symbol(.closeParenthesis) {
            if token(after: distance).startsLine { return nil }
            distance += 1
        }
        let inside = Span(token.span.end, token(after: distance).span.start)
        return token(after: distance).startsLine || distance == 1 ? nil : source.text(inside).printable
    }

    /// Whether the claim has no first word, as in `expect x == 1`.
    var isClaimWithoutWord: Bool {
        guard token.kind == .name, case .symbol(let symbol) = token(after: 1).kind else { return false }
        return symbol == .assign || symbol == .openBracket || Operator(rawValue: symbol.rawValue)?.isComparison == true
    }

    // MARK: - Statements and declarations in each other's place

    /// Refuses a statement outside of threads. Reports it unless the item before it was one too.
    mutating func refuseLoose(_ word: String, instead: String? = nil) -> Refused {
        isLoose = true
        return wasLoose ? Refused() : refuse(.statementOutside(word, instead: instead))
    }

    /// For `counter = 0` outside of threads.
    func hintForLooseStatement(_ word: String) -> String? {
        guard token.kind == .name, token(after: 1).kind == .symbol(.assign) else { return nil }
        let range = source.range(ofLine: source.line(of: token.span.start))
        let line = source.text(Span(range.lowerBound, range.upperBound))
        return line.contains("Thread(")
            ? "write 'thread \(word.printable) { … }'" : "to declare it, write 'shared \(word.printable) = …'"
    }

    // MARK: - The end of a statement

    /// A hint for the text that follows a statement on its line: it may be the second of two names, as in `unlock m` or
    /// `int x`, a symbol of another language, or a unit after a space.
    func hintForRunOn(from start: Int) -> String? {
        let first = text(tokens[start])
        switch token.kind {
        case .symbol(.colon) where token(after: 1).kind == .symbol(.assign):
            return "write 'var \(first.printable) = …'"
        case .symbol(.colon) where token(after: 1).kind == .symbol(.colon):
            return "leave '\(text(previous).printable)::' out"
        case .symbol(.hash): return hintForHash
        case .symbol(.openBrace): return hintForBlock(from: start)
        case .symbol(.openParenthesis) where textInParentheses != nil:
            guard case .keyword(let keyword) = tokens[start].kind, [.spawn, .join, .detach].contains(keyword) else {
                return nil
            }
            return "write '\(first) \(text(previous).printable)[\(textInParentheses ?? "")]'"
        case .symbol(.comma) where first == "var" || first == "let":
            return "write a '\(first)' for each variable"
        case .symbol(let symbol): return Self.hint(forSign: symbol)
        case .keyword(.if), .keyword(.while): return "write '\(text(token)) … { … }' around it"
        case .text where tokens[start].kind == .keyword(.assert): return "write ',' before the text"
        default: break
        }
        if let mode = Self.lockModes[first], position == start + 1, token(after: 1).kind == .symbol(.openBrace) {
            return "write '\(mode) \(text(token).printable) { … }'"
        }
        if let unit = unitBehindNumber { return unit }
        if text(previous) == "new" { return "there are no classes: a list is '[]', a number '0'" }
        if let hint = token.kind == .name ? Self.wordOperators[text(token)] : nil { return hint }
        guard tokens[start].kind == .name else { return nil }
        if let hint = ForeignWords.statement(first) { return hint }
        // Two words: a method and its object, in the wrong order.
        guard position == start + 1, token.kind == .name, isMember(first) else { return nil }
        return "write '\(text(token).printable).\(first)()'"
    }

    /// The words that begin a block under a lock, by the names of methods in other languages.
    private static let lockModes = [
        "lock": "lock", "read": "reading", "write": "writing", "readLock": "reading", "writeLock": "writing",
    ]

    /// For `m.lock {`, `synchronized (m) {`, `m.withLock {`, `do {`.
    private func hintForBlock(from start: Int) -> String? {
        // The third token is the member in `m.lock {`.
        if start + 2 < position, let mode = Self.lockModes[text(tokens[start + 2])] {
            return "write '\(mode) \(text(tokens[start]).printable) { … }'"
        }
        if let word = tokens[start..<position].last(where: { ForeignWords.locksBlock(text($0)) }) {
            let name = text(word) == text(tokens[start]) ? "m" : text(tokens[start])
            return "write 'lock \(name.printable) { … }'"
        }
        let first = text(tokens[start])
        if first == "reading" || first == "writing" { return "write '\(first) r { … }'" }
        return tokens[start].kind == .name ? ForeignWords.statement(text(tokens[start])) : nil
    }

    /// For `1 s`.
    private var unitBehindNumber: String? {
        guard previous.kind == .number, token.kind == .name, let unit = ForeignWords.unit(text(token)) else {
            return nil
        }
        return "write '\(text(previous))\(unit)'"
    }

    private func isMember(_ word: String) -> Bool {
        MemberName(rawValue: word) != nil || Recipe.all.contains { $0.methods.contains { $0.name == word } }
    }

    /// Hints for operators that are words in other languages.
    static let wordOperators = [
        "and": "write '&&'", "or": "write '||'", "mod": "write '%'", "is": "write '=='", "xor": "write '^'",
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
