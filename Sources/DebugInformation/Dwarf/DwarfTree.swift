/// The entries of `.debug_info`. They are read on demand: one entry, or an entry with those inside it.
///
/// The section may be damaged. What cannot be read ends the reading, and what was read before counts.
package struct DwarfTree: Sendable {
    let sections: DwarfSections
    private let decoder: DwarfDecoder
    private let lists: DwarfLists
    private(set) var units: [DwarfUnit] = []
    /// The ranges of each unit's code, by the number of the unit.
    private(set) var code: [[Range<UInt64>]] = []
    /// The abbreviations by their codes, for each table by its offset in `.debug_abbrev`.
    private var abbreviations: [Int: [UInt64: DwarfAbbreviation]] = [:]

    init(_ sections: DwarfSections) {
        self.sections = sections
        decoder = DwarfDecoder(sections)
        lists = DwarfLists(sections)
        // Tables of abbreviations have no bytes in common, so together they are no longer than their section. This
        // bounds the time for a damaged file.
        var abbreviationsLeft = sections.abbreviations.count
        var rangesLeft = Limits.allRanges
        var work = Work()
        var reader = ByteReader(sections.info)
        while reader.rest > 0, var unit = DwarfUnit(&reader) {
            readAbbreviations(unit.abbreviations, &abbreviationsLeft)
            let ranges = readFirstEntry(&unit, &work).prefix(rangesLeft)
            rangesLeft -= ranges.count
            code.append(Array(ranges))
            units.append(unit)
        }
    }

    private mutating func readAbbreviations(_ place: Int, _ left: inout Int) {
        guard abbreviations[place] == nil, let end = place.adding(left) else { return }
        var reader = ByteReader(sections.abbreviations, at: place, until: end)
        let count = reader.rest
        abbreviations[place] = reader.abbreviations()
        left -= count - reader.rest
    }

    /// Reads what the unit's first entry says about the unit, and returns the ranges of the unit's code.
    private func readFirstEntry(_ unit: inout DwarfUnit, _ work: inout Work) -> [Range<UInt64>] {
        // An attribute may need the base of a table that comes after it in the entry, so the entry is read twice.
        for attempt in 0..<2 {
            guard let entry = entry(at: unit.entries, in: unit, &work), entry.isOne(of: DwarfTag.units) else { break }
            unit.take(entry)
            if attempt == 1 { return ranges(of: entry, in: unit, &work) }
        }
        return []
    }

    /// The number of the unit that contains the place.
    func unit(at place: Int) -> Int? {
        let number = units.countOfPrefix { $0.end <= place }
        return number < units.count && units[number].entries <= place ? number : nil
    }

    // MARK: - Entries

    /// The entry at the place, without those inside it.
    func entry(at place: Int, _ work: inout Work) -> DwarfEntry? {
        unit(at: place).flatMap { entry(at: place, in: units[$0], &work) }
    }

    private func entry(at place: Int, in unit: DwarfUnit, _ work: inout Work) -> DwarfEntry? {
        var reader = ByteReader(sections.info, at: place, until: unit.end)
        guard let number = reader.unsigned(), let shape = abbreviations[unit.abbreviations]?[number],
            work.take(1 + shape.attributes.count)
        else { return nil }
        return read(shape, at: place, 0, &reader, unit)
    }

    /// Calls `body` with the entry at the place and with those inside it, in their order, until it returns false.
    ///
    /// - Parameter tags: an entry with another tag is skipped, but the entries inside it are not.
    func visit(_ place: Int, _ tags: [DwarfTag], _ work: inout Work, _ body: (DwarfEntry, inout Work) -> Bool) {
        guard let unitNumber = unit(at: place) else { return }
        let unit = units[unitNumber]
        guard let shapes = abbreviations[unit.abbreviations] else { return }
        var reader = ByteReader(sections.info, at: place, until: unit.end)
        var depth = 0
        while true {
            let start = reader.place
            guard let number = reader.unsigned() else { return }
            // The number 0 ends the entries inside an entry.
            if number == 0 {
                depth -= 1
            } else {
                guard let shape = shapes[number], work.take(1 + shape.attributes.count) else { return }
                if shape.isOne(of: tags) {
                    guard let entry = read(shape, at: start, depth, &reader, unit), body(entry, &work) else { return }
                } else if !skip(shape, &reader, unit) {
                    return
                }
                if shape.hasChildren { depth += 1 }
            }
            if depth <= 0 { return }
        }
    }

    /// The entries with these tags that are directly inside the entry.
    func children(of place: Int, _ tags: [DwarfTag], _ work: inout Work) -> [DwarfEntry] {
        var found: [DwarfEntry] = []
        visit(place, tags, &work) { entry, _ in
            if entry.depth == 1 { found.append(entry) }
            return found.count < Limits.children
        }
        return found
    }

    /// The first result of `value` that is not nil, for the entry, its origin (`DwarfEntry.origin`), the origin of that
    /// one, and so on.
    func first<Value>(of entry: DwarfEntry, _ work: inout Work, _ value: (DwarfEntry) -> Value?) -> Value? {
        var next: DwarfEntry? = entry
        for _ in 0..<Limits.origins {
            guard let current = next else { return nil }
            if let found = value(current) { return found }
            next = current.origin.flatMap { self.entry(at: $0, &work) }
        }
        return nil
    }

    /// The ranges of the entry's code.
    func ranges(of entry: DwarfEntry, _ work: inout Work) -> [Range<UInt64>] {
        unit(at: entry.place).map { ranges(of: entry, in: units[$0], &work) } ?? []
    }

    private func ranges(of entry: DwarfEntry, in unit: DwarfUnit, _ work: inout Work) -> [Range<UInt64>] {
        lists.ranges(low: entry[.lowPc], high: entry[.highPc], list: entry[.ranges], unit, &work)
    }

    /// Reads the values of an entry, which follow the number of its abbreviation. Nil: they cannot be read.
    private func read(
        _ shape: DwarfAbbreviation, at place: Int, _ depth: Int, _ reader: inout ByteReader, _ unit: DwarfUnit
    ) -> DwarfEntry? {
        var found: [(DwarfAttribute, DwarfValue)] = []
        found.reserveCapacity(shape.attributes.count)
        for attribute in shape.attributes {
            guard let value = decoder.value(attribute.form, constant: attribute.constant, &reader, unit.context) else {
                return nil
            }
            if let name = attribute.name { found.append((name, value)) }
        }
        return DwarfEntry(place: place, depth: depth, tag: shape.tag, values: found)
    }

    /// Skips an entry. Returns false if it cannot be read.
    private func skip(_ shape: DwarfAbbreviation, _ reader: inout ByteReader, _ unit: DwarfUnit) -> Bool {
        shape.attributes.allSatisfy {
            decoder.value($0.form, constant: $0.constant, &reader, unit.context) != nil
        }
    }
}
