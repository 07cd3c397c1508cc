import LabProgram
import LabSyntax

/// The declarations and claims of a program's text, in the form in which a submission is compared with its task: words
/// and where statements begin, without comments and other layout.
struct Outline {
    struct Word: Equatable {
        var text: String
        /// Whether it begins a statement. Statements end with their line, so a line's end can change the meaning of the
        /// same words.
        var beginsStatement: Bool
    }

    struct Declaration {
        enum Kind { case parameter, object, thread, function }

        var kind: Kind
        var name: String
        var nameSpan: Span
        /// The words of a thread before its body; of any other declaration, all words. `given` and `;` are left out.
        var head: [Word]
        /// All words but `given` and `;`.
        var whole: [Word]
        /// The places of the words in `whole`.
        var places: [Span]
        var isGiven: Bool
        /// All names that the declaration mentions, its own included.
        var names: Set<String>
        /// The places in its code where it starts, joins or detaches a thread, in the order of the text.
        var verbs: [Verb] = []
        /// The places of its `progress` statements.
        var progress: [Span] = []
    }

    /// A statement that starts, joins or detaches a thread, with its words: `spawn child[0]`.
    struct Verb {
        /// The statement in words, with one space after the verb.
        var text: String
        /// The name of the thread, without an index.
        var thread: String
        var span: Span
        /// Whether every run that reaches the end of the code executes it: it is in no inner block, and no `return`
        /// precedes it.
        var isCertain: Bool
    }

    private(set) var declarations: [Declaration] = []
    /// The spans of `expect`, specifications, `finally` and `task`.
    private(set) var claims: [Span] = []
    /// The words outside of given declarations and claims.
    private(set) var ownWords: [SourceWord] = []
    /// The names that given declarations and parameters mention.
    private(set) var fixedNames: Set<String> = []
    /// The names that `expect` and `finally` mention, directly or through functions that they call.
    private(set) var claimedNames: Set<String> = []

    init() {}

    init(_ file: Syntax.File, _ source: SourceText) {
        let words = source.words()
        var next = 0
        for (item, span) in zip(file.items, file.spans) {
            while next < words.count, words[next].span.start < span.start { next += 1 }
            let rest = words[next...].prefix { $0.span.end <= span.end }
            add(item, span, Array(rest))
        }
        followCalls()
    }

    /// Adds what called functions mention to the claimed names: a function that a claim calls is part of the claim.
    private mutating func followCalls() {
        var open = declarations.filter { $0.kind == .function && claimedNames.contains($0.name) }
        while let function = open.popLast() {
            let news = function.names.subtracting(claimedNames)
            claimedNames.formUnion(news)
            open += declarations.filter { $0.kind == .function && news.contains($0.name) }
        }
    }

    func declaration(_ name: String) -> Declaration? { declarations.first { $0.name == name } }

    private mutating func add(_ item: Syntax.Item, _ span: Span, _ words: [SourceWord]) {
        switch item {
        case .parameter(let parameter):
            declare(.parameter, parameter.name, words, words, isGiven: true)
            fixedNames.formUnion(Self.names(words))
        case .objects(let objects): add(objects, words)
        case .function(let function):
            declare(.function, function.name, words, words, isGiven: function.isGiven)
            addWords(words, isGiven: function.isGiven)
        case .thread(let thread):
            let head = words.prefix { $0.span.start < thread.body.span.start }
            declare(.thread, thread.name, Array(head), words, isGiven: thread.isGiven)
            addWords(words, isGiven: thread.isGiven)
        case .finally, .expect:
            claims.append(span)
            claimedNames.formUnion(Self.names(words))
        case .task, .specification: claims.append(span)
        case .run: break
        }
    }

    private mutating func addWords(_ words: [SourceWord], isGiven: Bool) {
        if isGiven { fixedNames.formUnion(Self.names(words)) } else { ownWords += words }
    }

    /// Adds each declarator as a separate declaration: for `shared a, b = 1`, `shared a` and `shared b = 1`. Each gets
    /// the words before the first name, and its own mutex.
    private mutating func add(_ objects: Syntax.ObjectDeclaration, _ words: [SourceWord]) {
        addWords(words, isGiven: objects.isGiven)
        // Words inside `\( )` of a string literal follow the literal itself, so they would be repeated.
        let words = words.filter { $0.depth == 0 }
        guard let first = objects.declarators.first else { return }
        let beginning = words.prefix { $0.span.start < first.name.span.start }
        for (number, declarator) in objects.declarators.enumerated() {
            let isLast = number + 1 == objects.declarators.count
            let end = isLast ? Int.max : objects.declarators[number + 1].name.span.start
            var own = words.filter { declarator.name.span.start <= $0.span.start && $0.span.start < end }
            // The last word before the next name is the comma.
            if !isLast { own.removeLast() }
            if let mutex = declarator.mutex {
                own =
                    own.prefix { $0.text != Keyword.with.rawValue }
                    + words.filter { mutex.span.start <= $0.span.start && $0.span.end <= mutex.span.end }
            }
            let all = Array(beginning) + own
            declare(.object, declarator.name, all, all, isGiven: objects.isGiven)
        }
    }

    private mutating func declare(
        _ kind: Declaration.Kind, _ name: Syntax.Name, _ head: [SourceWord], _ whole: [SourceWord], isGiven: Bool
    ) {
        var declaration = Declaration(
            kind: kind, name: name.text, nameSpan: name.span, head: Self.compared(head), whole: Self.compared(whole),
            places: Self.significant(whole).map(\.span), isGiven: isGiven, names: Self.names(whole))
        if kind == .thread || kind == .function { Self.collectStatements(of: &declaration, in: whole) }
        declarations.append(declaration)
    }

    /// The words of a declaration without `;` and without a `given` at its beginning.
    private static func significant(_ words: [SourceWord]) -> [SourceWord] {
        let rest = words.filter { $0.text != ";" }
        return rest.first?.text == Keyword.given.rawValue ? Array(rest.dropFirst()) : rest
    }

    private static func compared(_ words: [SourceWord]) -> [Word] {
        var result = significant(words).map { Word(text: $0.text, beginsStatement: $0.beginsStatement) }
        // The first word is equal with `given` before it and without.
        if !result.isEmpty { result[0].beginsStatement = true }
        return result
    }

    /// Collects the verbs and the `progress` statements in the code of a declaration.
    private static func collectStatements(of declaration: inout Declaration, in words: [SourceWord]) {
        var depth = 0
        var mayReturn = false
        for (number, word) in words.enumerated() where word.depth == 0 {
            switch word.text {
            case "{": depth += 1
            case "}": depth -= 1
            case "return": mayReturn = true
            case "spawn", "join", "detach":
                let target = words[(number + 1)...].prefix { !$0.beginsStatement && !["}", ";"].contains($0.text) }
                declaration.verbs.append(
                    Verb(
                        text: word.text + " " + target.map(\.text).joined(), thread: target.first?.text ?? "",
                        span: word.span, isCertain: depth == 1 && !mayReturn))
            case "progress" where word.beginsStatement:
                // Followed by anything else, `progress` is a name.
                let next = number + 1 < words.count ? words[number + 1] : nil
                let isAlone = next.map { $0.beginsStatement || ["}", ";"].contains($0.text) } ?? true
                if isAlone { declaration.progress.append(word.span) }
            default: break
            }
        }
    }

    /// The words that may be names of declarations. Members and labels, such as `load` in `x.load()`, are not.
    private static func names(_ words: [SourceWord]) -> Set<String> {
        var names: Set<String> = []
        for (number, word) in words.enumerated() where word.isWord {
            let before = number > 0 ? words[number - 1].text : ""
            let after = number + 1 < words.count ? words[number + 1].text : ""
            if before == "." || after == ":" && ["(", ","].contains(before) { continue }
            names.insert(word.text)
        }
        return names
    }
}
