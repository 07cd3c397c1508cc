import LabProgram
import LabSyntax

/// A program that is being written, for an editor, which asks what a name means, where it is used, and what could be
/// written at a place. The text may have mistakes; the answers are about the parts that can be parsed.
///
/// A place is an offset in bytes from the start of the text.
package struct EditedProgram {
    package let source: SourceText
    /// The declarations, in the order of the text.
    package let names: [DeclaredName]
    /// All words and signs, in the order of the text.
    let words: [SourceWord]
    /// The spans whose words are not names of the program: those of expectations without conditions or values, such as
    /// `expect completes`, and those of runs of built-in scenarios or compiled programs.
    private let foreign: [Span]
    /// See `DeclarationWalk.keywordOffsets`.
    private let keywordOffsets: Set<Int>

    package init(_ source: SourceText) {
        self.source = source
        guard let file = source.syntax().file else {
            (names, words, foreign, keywordOffsets) = ([], [], [], [])
            return
        }
        let walk = DeclarationWalk(file, end: source.bytes.count)
        (names, keywordOffsets) = (walk.found, walk.keywordOffsets)
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

    /// The word at a place, or the one that ends there.
    package func word(at offset: Int) -> SourceWord? {
        let near = words.filter { $0.isWord && $0.span.start <= offset && offset <= $0.span.end }
        return near.last { $0.span.start == offset } ?? near.last
    }

    /// The declaration of the name at a place. Nil: there is none.
    package func name(at offset: Int) -> DeclaredName? {
        guard let word = word(at: offset), isName(word) else { return nil }
        return meaning(of: word.text, at: word.span.start)
    }

    /// All places of a name, its declaration included, in the order of the text. A function and the specification's
    /// function of the same name count as one.
    package func uses(of name: DeclaredName) -> [Span] {
        words.filter { word in
            guard word.text == name.name.text, isName(word), let meant = meaning(of: word.text, at: word.span.start)
            else {
                return false
            }
            return meant.name.span == name.name.span || areOneFunction(meant, name)
        }.map(\.span)
    }

    /// Whether one is a function of the program and the other a specification's.
    private func areOneFunction(_ one: DeclaredName, _ other: DeclaredName) -> Bool {
        guard case .function = one.kind, case .function = other.kind else { return false }
        return one.isOfSpecification != other.isOfSpecification
    }

    /// What a name means at a place: of several declarations, the one with the smallest scope. So in a specification it
    /// means the specification's own declaration rather than the program's.
    private func meaning(of text: String, at offset: Int) -> DeclaredName? {
        names.filter { $0.name.text == text && $0.scope.start <= offset && offset <= $0.scope.end }
            .min { $0.scope.length < $1.scope.length }
    }

    /// Whether a word can be a name that the program declares: it is not a member's name, a label, a word in one of the
    /// spans `foreign`, or a keyword at one of `keywordOffsets`.
    private func isName(_ word: SourceWord) -> Bool {
        guard word.isWord, !keywordOffsets.contains(word.span.start),
            !foreign.contains(where: { $0.start <= word.span.start && word.span.end <= $0.end })
        else {
            return false
        }
        if names.contains(where: { $0.name.span == word.span }) { return true }
        guard let index = words.firstIndex(where: { $0.span == word.span }) else { return false }
        if index > 0, words[index - 1].text == "." { return false }
        return index + 1 >= words.count || words[index + 1].text != ":"
    }

    /// The names that can be used at a place. In a specification, those are its own names and the program's parameters.
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
    /// Whether it contains conditions or values, in which the program's names occur.
    fileprivate var hasNames: Bool {
        switch kind {
        case .completes, .findings, .warnings, .linearizable: false
        case .always, .never, .sometimes, .possible, .eventually, .invariant, .outcomes: true
        }
    }
}
