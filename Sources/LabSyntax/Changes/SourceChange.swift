import Text

/// A span of a text, and the text that replaces it.
package struct TextEdit: Hashable, Sendable {
    package let span: Span
    package let text: String

    init(_ span: Span, _ text: String) {
        self.span = span
        self.text = text
    }

    init(at place: Int, _ text: String) { self.init(Span(place, place), text) }
}

/// A mechanical change of a program that may cure it, such as `while` instead of `if` around a wait. A search judges
/// it. A change may merge, move or enclose statements, and drop a lock inside a block that already holds it; it removes
/// nothing else.
package struct SourceChange: Equatable, Sendable {
    /// What is changed, in order of preference: the first kinds preserve most of the program's concurrency.
    package enum Kind: Int, CaseIterable, Sendable {
        case loopAroundWait, broadcast, signalAfterChange, waitForPredicate
        case unlockOnReturn, lockOrder, otherLock, writeLock
        case order, oneUpdate, atomic, lockAround, waitBeforeLock, statementOrder, join, recursive
        case newLock
    }

    package let kind: Kind
    /// A noun phrase that describes it: "'broadcast' instead of 'signal'".
    package let words: String
    /// The numbers of the lines that it touches.
    package let lines: [Int]
    /// The number of places that it changes.
    package let size: Int
    /// What to check before the change is made, as a sentence. Nil: nothing in particular.
    package let caution: String?
    let edits: [TextEdit]
}

/// Makes changes in a program's text, and can make its expectations demand success: a program that expects a deadlock
/// would otherwise fail once it is cured.
package struct ChangeableText {
    private let source: SourceText
    /// The edits of the expectations, which come with every change.
    private let completion: [TextEdit]
    /// Whether the text is in canonical form, as `threadlab format` writes it.
    private let isCanonical: Bool

    /// - Parameters:
    ///   - completing: whether a changed program should expect that every run completes, instead of what it expects
    ///     now.
    ///   - model: the memory model under which the program's claims must hold.
    package init(_ source: SourceText, completing: Bool = true, under model: ModelWord = .sc) {
        self.source = source
        completion = completing ? source.completion(under: model) : []
        isCanonical = (try? source.formatted()).map { source.bytes.elementsEqual($0.utf8) } ?? false
    }

    /// The text with these changes. Nil: two of them change the same place, or the result cannot be read.
    ///
    /// All other text stays as it is. A text in canonical form remains in it.
    package func applying(_ changes: [SourceChange]) -> SourceText? {
        guard let bytes = source.bytes(after: changes.flatMap(\.edits) + completion) else { return nil }
        let text = SourceText(name: source.name, bytes)
        guard let formatted = try? text.formatted() else { return nil }
        return isCanonical ? SourceText(name: source.name, formatted) : text
    }
}

extension Syntax.ExpectDeclaration {
    /// Whether the expectation may have to change if every run is to complete under the model.
    fileprivate func isToChange(under model: ModelWord) -> Bool {
        switch kind {
        // If every run completes, there are no findings, and warnings need not appear, whatever the model.
        case .findings, .warnings: true
        case .completes, .always, .never, .sometimes, .possible, .eventually, .invariant, .outcomes, .linearizable:
            self.model?.isSame(as: model) ?? true
        }
    }
}

extension SourceText {
    /// The bytes with the edits made. Nil: two edits overlap.
    fileprivate func bytes(after edits: [TextEdit]) -> [UInt8]? {
        let inOrder = edits.enumerated().sorted {
            ($0.element.span.start, $0.element.span.end, $0.offset)
                < ($1.element.span.start, $1.element.span.end, $1.offset)
        }.map(\.element)
        var result: [UInt8] = []
        var place = 0
        for edit in inOrder {
            guard edit.span.start >= place else { return nil }
            result += bytes[place..<edit.span.start]
            result += edit.text.utf8
            place = edit.span.end
        }
        return result + bytes[place...]
    }

    /// The edits after which the program expects that every run completes, and keeps its other claims. A claim that is
    /// expected to be broken under the model loses the word `broken`: it must hold.
    fileprivate func completion(under model: ModelWord) -> [TextEdit] {
        let (file, parser) = parsed()
        guard let file else { return [] }
        let expectations = file.items.compactMap { item in
            if case .expect(let expectation) = item, expectation.isToChange(under: model) { expectation } else { nil }
        }
        var demandsCompletion = expectations.contains { if case .completes = $0.kind { true } else { false } }
        var edits: [TextEdit] = []
        for expectation in expectations {
            let tokens = parser.tokens
            guard let first = tokens.firstIndex(where: { $0.span.start == expectation.span.start }) else { continue }
            switch expectation.kind {
            case .findings, .warnings:
                if demandsCompletion {
                    edits.append(TextEdit(whole(tokens[first - 1].span.through(expectation.span)), ""))
                } else {
                    edits.append(TextEdit(expectation.span, Keyword.completes.rawValue))
                    demandsCompletion = true
                }
            case .completes, .always, .never, .sometimes, .possible, .eventually, .invariant, .outcomes, .linearizable:
                guard expectation.isBroken, let word = tokens[first...].firstIndex(where: { text($0.span) == "broken" })
                else { break }
                // An invariant that holds is declared without `expect`, for every model.
                let begin = if case .invariant = expectation.kind { first - 1 } else { word }
                edits.append(TextEdit(Span(tokens[begin].span.start, tokens[word + 1].span.start), ""))
            }
        }
        return edits
    }

    /// The span of an expectation, extended to its whole line if nothing else is on it.
    private func whole(_ span: Span) -> Span {
        let line = range(ofLine: line(of: span.start))
        // The span may end on a later line than it begins.
        let others = [bytes[line.lowerBound..<span.start], bytes[span.end..<max(span.end, line.upperBound)]]
        guard others.joined().allSatisfy({ $0 == UInt8(ascii: " ") }) else { return span }
        return Span(line.lowerBound, min(line.upperBound + 1, bytes.count))
    }
}
