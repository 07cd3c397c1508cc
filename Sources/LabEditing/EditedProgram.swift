import LabProgram
import LabSyntax

/// A program that is being written, for the questions of an editor. Its text may have mistakes; intact parts are known.
package struct EditedProgram {
    package let source: SourceText
    /// In the order of the text.
    package let names: [DeclaredName]
    let words: [SourceWord]
    /// The spans whose words are not names of the program, but of outcomes or of another scenario's parameters.
    private let foreign: [Span]
    private let languageWords: Set<Int>

    package init(_ source: SourceText) {
        self.source = source
        guard let file = source.syntax().file else {
            (names, words, foreign, languageWords) = ([], [], [], [])
            return
        }
        let walk = DeclarationWalk(file, end: source.bytes.count)
        (names, languageWords) = (walk.found, walk.words)
        words = source.words().sorted { $0.span.start < $1.span.start }
        foreign = zip(file.items, file.spans).compactMap { item, span in
            switch item {
            case .run: span
            case .expect(let expectation): expectation.hasNames ? nil : span
            case .parameter, .objects, .function, .thread, .finally, .task, .specification: nil
            }
        }
    }

    // MARK: - Names

    /// The word at a place, or directly before it.
    package func word(at offset: Int) -> SourceWord? {
        let near = words.filter { $0.isWord && $0.span.start <= offset && offset <= $0.span.end }
        return near.last { $0.span.start == offset } ?? near.last
    }

    /// The declaration of the name at a place. Nil: no name is there, or no declared one.
    package func name(at offset: Int) -> DeclaredName? {
        guard let word = word(at: offset), isName(word) else { return nil }
        return meaning(of: word.text, at: word.span.start)
    }

    /// All places of a name, its declaration included, in the order of the text. A specification's function has the
    /// same name as the function that it specifies.
    package func uses(of name: DeclaredName) -> [Span] {
        words.filter { word in
            guard word.text == name.name.text, isName(word), let meant = meaning(of: word.text, at: word.span.start)
            else {
                return false
            }
            return meant.name.span == name.name.span || areOneFunction(meant, name)
        }.map(\.span)
    }

    private func areOneFunction(_ one: DeclaredName, _ other: DeclaredName) -> Bool {
        guard case .function = one.kind, case .function = other.kind else { return false }
        return one.isOfSpecification != other.isOfSpecification
    }

    /// The innermost declaration: a specification's scope is within the program's.
    private func meaning(of text: String, at offset: Int) -> DeclaredName? {
        names.filter { $0.name.text == text && $0.scope.start <= offset && offset <= $0.scope.end }
            .min { $0.scope.length < $1.scope.length }
    }

    /// Whether a word is a name of the program, rather than of a member, a label or something else.
    private func isName(_ word: SourceWord) -> Bool {
        guard word.isWord, !languageWords.contains(word.span.start),
            !foreign.contains(where: { $0.start <= word.span.start && word.span.end <= $0.end })
        else {
            return false
        }
        if names.contains(where: { $0.name.span == word.span }) { return true }
        guard let place = words.firstIndex(where: { $0.span == word.span }) else { return false }
        if place > 0, words[place - 1].text == "." { return false }
        return place + 1 >= words.count || words[place + 1].text != ":"
    }

    /// The names that can be used at a place.
    package func visibleNames(at offset: Int) -> [DeclaredName] {
        let inside = names.filter { $0.scope.start <= offset && offset <= $0.scope.end }
        let isInSpecification = inside.contains { $0.isOfSpecification }
        return inside.filter { name in
            if case .parameter = name.kind { return true }
            return name.isOfSpecification == isInSpecification
        }
    }
}

extension Span {
    var length: Int { end - start }
}

extension Syntax.ExpectDeclaration {
    fileprivate var hasNames: Bool {
        switch kind {
        case .completes, .findings, .warnings, .linearizable: false
        case .always, .never, .sometimes, .possible, .eventually, .invariant, .outcomes: true
        }
    }
}
