extension SourceText {
    /// The mechanical changes that might cure the program, each by itself, in a fixed order. `explore --suggest`
    /// searches the program with each of them. Empty for a text with errors, and for a very large program.
    package func changes() -> [SourceChange] {
        guard let map = StatementMap(self) else { return [] }
        var finder = ChangeFinder(map)
        finder.findChanges()
        return finder.changes
    }
}

/// Looks for changes of one program. It does not judge whether a change cures the program: the explorer tries them. A
/// section here is a critical section: the statements that run with a lock held.
struct ChangeFinder {
    let map: StatementMap
    /// The auxiliary variables, which only assertions read.
    let watched: Set<String>
    private(set) var changes: [SourceChange] = []
    /// The edits of the changes found so far, so that none is proposed twice.
    private var known: Set<[TextEdit]> = []
    private var counts: [SourceChange.Kind: Int] = [:]

    /// The limit of changes of one kind: a program with more such places cannot be cured by trying.
    private static let mostOfKind = 100

    init(_ map: StatementMap) {
        self.map = map
        watched = Self.watched(map)
    }

    mutating func findChanges() {
        findWaits()
        findPredicates()
        findSignals()
        findUnlocks()
        findOrders()
        findOtherLocks()
        findUpdates()
        findSections()
        findJoins()
        findStatementOrders()
    }

    /// Adds a change, unless it is already known or there are too many of its kind.
    ///
    /// - Parameters:
    ///   - words: a noun phrase that describes it.
    ///   - size: the number of places that are changed.
    ///   - sections: the statements around which a lock is put.
    mutating func add(
        _ kind: SourceChange.Kind, _ words: String, _ edits: [TextEdit], size: Int = 1,
        around sections: [[Syntax.Statement]] = []
    ) {
        guard !isFull(kind), known.insert(edits).inserted else { return }
        counts[kind, default: 0] += 1
        let lines = Set(edits.map { map.line($0.span) }).sorted()
        changes.append(
            SourceChange(
                kind: kind, words: words, lines: lines, size: size, caution: caution(kind, sections), edits: edits))
    }

    /// Whether no more changes of this kind are collected.
    func isFull(_ kind: SourceChange.Kind) -> Bool { counts[kind, default: 0] >= Self.mostOfKind }

    /// Adds several changes of one kind as one that makes them all. Does nothing for fewer than two.
    mutating func addAll(
        _ kind: SourceChange.Kind, _ words: String, _ parts: [[TextEdit]], around sections: [[Syntax.Statement]] = []
    ) {
        guard parts.count > 1 else { return }
        add(kind, words, parts.flatMap(\.self), size: parts.count, around: sections)
    }
}

/// The edits of which changes consist.
extension ChangeFinder {
    private var source: SourceText { map.source }

    /// The span of consecutive statements of a block.
    func statements(_ block: Syntax.Block, _ range: ClosedRange<Int>) -> Span {
        block.statements[range.lowerBound].span.through(block.statements[range.upperBound].span)
    }

    /// Puts the statements of a span into a block of their own: `lock m { … }`.
    ///
    /// - Parameter head: what precedes the block's `{`, such as `lock m`.
    func wrapped(_ span: Span, in head: String) -> [TextEdit] {
        if source.line(of: span.start) == source.line(of: span.end) {
            return [TextEdit(at: span.start, "\(head) { "), TextEdit(at: span.end, " }")]
        }
        let indent = indentation(span.start)
        var edits = [TextEdit(at: span.start, "\(head) {\n\(indent)    ")]
        for line in source.line(of: span.start) + 1...source.line(of: span.end) {
            let range = source.range(ofLine: line)
            if !range.isEmpty { edits.append(TextEdit(at: range.lowerBound, "    ")) }
        }
        return edits + [TextEdit(at: endOfLine(span.end) ?? span.end, "\n\(indent)}")]
    }

    /// Removes the lock around a block, and keeps the block's statements.
    func unwrapped(_ statement: Syntax.Statement) -> [TextEdit] {
        guard let block = map.locked(statement)?.block else { return [] }
        var start = block.span.start + 1
        while start < source.bytes.count, Self.isBlank(source.bytes[start]) { start += 1 }
        var end = block.span.end - 1
        while end > start, Self.isBlank(source.bytes[end - 1]) { end -= 1 }
        guard end > start else { return [] }
        let separator = endOfLine(block.span.end) == nil ? ";" : ""
        return [TextEdit(Span(statement.span.start, start), ""), TextEdit(Span(end, block.span.end), separator)]
    }

    /// Puts a statement after another one: on a line of its own, or after a `;` if code follows on the line.
    func inserted(_ text: String, behind span: Span) -> TextEdit {
        guard let end = endOfLine(span.end) else { return TextEdit(at: span.end, "; \(text)") }
        return TextEdit(at: end, "\n\(indentation(span.start))\(text)")
    }

    /// Puts a statement before another one: on a line of its own, or with a `;` if code precedes on the line.
    func inserted(_ text: String, before span: Span) -> TextEdit {
        guard startsLine(span.start) else { return TextEdit(at: span.start, "\(text); ") }
        return TextEdit(at: span.start, "\(text)\n\(indentation(span.start))")
    }

    /// Swaps the texts of two spans.
    func exchanged(_ first: Span, _ second: Span) -> [TextEdit] {
        [TextEdit(first, source.text(second)), TextEdit(second, source.text(first))]
    }

    private func startsLine(_ place: Int) -> Bool {
        let start = source.range(ofLine: source.line(of: place)).lowerBound
        return source.bytes[start..<place].allSatisfy(Self.isBlank)
    }

    /// The end of the line, if at most a comment follows there. Nil: code follows.
    private func endOfLine(_ place: Int) -> Int? {
        let end = source.range(ofLine: source.line(of: place)).upperBound
        let rest = source.bytes[place..<end].drop(while: Self.isBlank)
        return rest.isEmpty || rest.starts(with: Array("//".utf8)) ? end : nil
    }

    private func indentation(_ place: Int) -> String {
        let range = source.range(ofLine: source.line(of: place))
        let blanks = source.bytes[range].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return String(decoding: blanks, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
