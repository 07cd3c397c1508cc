/// For the writer of a saved trace: how events refer to the entries of one of the document's tables (threads, objects,
/// sites, texts). A reference is the entry's content, such as `"thread":"main"`, or its number if an earlier entry has
/// the same content.
struct ReferenceTable {
    private var references: [JSONText] = []
    /// For each entry, whether it has no content, or that of an earlier entry. The reference is then a number.
    private(set) var isRepeated: [Bool] = []
    /// The number of entries that the reader of the file knows from the lines so far.
    private(set) var known = 0

    /// - Parameter entries: the content of each entry; nil for an empty one.
    init(_ entries: [String?]) {
        var seen: Set<String> = []
        for (index, entry) in entries.enumerated() {
            let isNew = entry.map { seen.insert($0).inserted } ?? false
            isRepeated.append(!isNew)
            references.append(isNew ? JSONText(quoting: entry ?? "") : JSONText("\(index)"))
        }
    }

    var count: Int { references.count }

    /// The reference as JSON. An index outside the table is written as a number.
    func reference(_ index: Int) -> JSONText {
        references.indices.contains(index) ? references[index] : JSONText("\(index)")
    }

    /// The entries that need lines of their own before an event refers to this one: earlier entries that the reader
    /// does not know yet, and this entry, unless the event contains its content and so declares it.
    ///
    /// - Parameter showsRepeats: whether the event contains the entry's content even if an earlier entry has the same.
    mutating func entriesToDeclare(for index: Int, showsRepeats: Bool = false) -> Range<Int> {
        guard references.indices.contains(index), index >= known else { return known..<known }
        let first = known
        known = index + 1
        return first..<(isRepeated[index] && !showsRepeats ? index + 1 : index)
    }

    /// The entries that the reader does not know after all events, because no event has referred to them.
    mutating func entriesLeft() -> Range<Int> {
        defer { known = count }
        return known..<count
    }
}

/// For the reader of a saved trace: the numbers of the entries of one of the document's tables, by content.
struct NameNumbers {
    private var numbers: [String: Int] = [:]
    /// The number of the next entry.
    private(set) var count = 0

    /// - Parameter first: the number of the first entry that a file declares.
    init(first: Int = 0) { count = first }

    /// Adds an entry. If an earlier entry has the same content, the content still refers to that one.
    ///
    /// - Parameter name: the entry's content; nil for an empty one.
    mutating func append(_ name: String?) {
        if let name, numbers[name] == nil { numbers[name] = count }
        count += 1
    }

    func number(of name: String) -> Int? { numbers[name] }
}
