import LabProgram
import LabSyntax
import Recipes

/// A word that an editor can offer to complete what is being typed.
package struct CompletedWord: Equatable {
    package enum Kind { case parameter, object, thread, function, variable, member, keyword }

    /// The text to insert.
    package let text: String
    package let kind: Kind
    /// A short phrase that says what the word is.
    package let detail: String
}

extension EditedProgram {
    /// The words that can be written at a place in the text: after a dot, the members of the object before it;
    /// elsewhere, the names in scope and the keywords that make sense there. The editor selects those that begin with
    /// what is typed.
    ///
    /// - Parameter offset: the place, in bytes from the start.
    package func completions(at offset: Int) -> [CompletedWord] {
        guard !isInComment(offset) else { return [] }
        let before = words.last { $0.span.end <= start(ofWordAt: offset) }
        if before?.text == ".", before?.span.end == start(ofWordAt: offset) {
            return members(before: before!.span.start)
        }
        let visible = visibleNames(at: offset).map { name in
            CompletedWord(text: name.name.text, kind: name.completionKind, detail: name.noun)
        }
        return visible + keywords(at: offset).map { CompletedWord(text: $0, kind: .keyword, detail: "") }
    }

    /// The start of the word that ends at the place, or the place itself.
    private func start(ofWordAt offset: Int) -> Int {
        var start = min(offset, source.bytes.count)
        while start > 0, Self.isWordByte(source.bytes[start - 1]) { start -= 1 }
        return start
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether the place is in a comment: its line has `//` before it.
    private func isInComment(_ offset: Int) -> Bool {
        let end = min(offset, source.bytes.count)
        let line = source.bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return String(decoding: source.bytes[line..<end], as: UTF8.self).contains("//")
    }

    /// The members of the object before the dot at this offset. The object may have a subscript.
    private func members(before dot: Int) -> [CompletedWord] {
        var index = words.lastIndex { $0.span.end <= dot }
        if let last = index, words[last].text == "]" {
            // The word before the subscript.
            index = words[..<last].lastIndex { $0.text == "[" }.map { $0 - 1 }
        }
        guard let index, words.indices.contains(index), let name = name(at: words[index].span.start),
            case .object(let kind, let declarator) = name.kind
        else { return [] }
        return kind.memberUsages(isList: declarator.isList, isTruth: declarator.isTruth).map {
            CompletedWord(text: $0, kind: .member, detail: "of \(name.noun)")
        }
    }

    /// The keywords and the words of built objects that can be written in a body, or outside of bodies.
    private func keywords(at offset: Int) -> [String] {
        let isInBody = names.contains { name in
            switch name.kind {
            case .thread, .function: name.declaration.start < offset && offset < name.declaration.end
            case .parameter, .object, .variable: false
            }
        }
        let groups: [Keyword.Group] =
            isInBody
            ? [.statement, .expression, .ordering, .function] : [.declaration, .expectation, .modifier, .type]
        let recipes = isInBody ? Recipe.all.filter { $0.block != nil } : Recipe.all
        return Keyword.allCases.filter { groups.contains($0.group) }.map(\.rawValue) + recipes.map(\.word)
    }
}

extension DeclaredName {
    fileprivate var completionKind: CompletedWord.Kind {
        switch kind {
        case .parameter: .parameter
        case .object: .object
        case .thread: .thread
        case .function: .function
        case .variable: .variable
        }
    }
}

extension Syntax.Declarator {
    /// Whether its value is a Boolean, as far as the declaration shows it.
    fileprivate var isTruth: Bool {
        if let type { return type.type == .boolean }
        if case .boolean? = value?.kind { return true }
        return false
    }
}
