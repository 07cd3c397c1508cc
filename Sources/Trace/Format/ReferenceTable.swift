/// How the events of a saved trace refer to the entries of one of the document's tables: by what the entry says, or by its
/// number where an earlier entry says the same.
struct ReferenceTable {
    private var references: [[UInt8]] = []
    /// Where an entry says what an earlier one says.
    private(set) var isRepeated: [Bool] = []
    /// How many entries the reader of the file knows by now.
    private(set) var known = 0

    /// - Parameter entries: what each entry says; nil for one that says nothing.
    init(_ entries: [String?]) {
        var seen: Set<String> = []
        for (index, entry) in entries.enumerated() {
            let isNew = entry.map { seen.insert($0).inserted } ?? false
            isRepeated.append(!isNew)
            var sink = ByteSink()
            if let entry, isNew { sink.write(json: entry) } else { sink.write(String(index)) }
            references.append(sink.bytes)
        }
    }

    var count: Int { references.count }

    /// The reference as JSON. An index outside the table is written as it is.
    func reference(_ index: Int) -> [UInt8] {
        references.indices.contains(index) ? references[index] : Array(String(index).utf8)
    }

    /// The entries that need a line of their own before an event can refer to this one: those that come earlier and are not
    /// known, and the entry itself if the event does not make it known.
    ///
    /// - Parameter showsRepeats: the event says what the entry says even if an earlier one says the same.
    mutating func entriesToDeclare(for index: Int, showsRepeats: Bool = false) -> Range<Int> {
        guard references.indices.contains(index), index >= known else { return known..<known }
        let first = known
        known = index + 1
        return first..<(isRepeated[index] && !showsRepeats ? index + 1 : index)
    }

    /// The entries that no event referred to.
    mutating func entriesLeft() -> Range<Int> {
        defer { known = count }
        return known..<count
    }
}
