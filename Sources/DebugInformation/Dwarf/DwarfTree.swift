/// The entries of `.debug_info`, which are read where they are asked for: a unit's, or what is inside one of them.
///
/// It may be damaged: what cannot be read ends the reading, and what was read before counts.
package struct DwarfTree: Sendable {
    let sections: DwarfSections
    private let values: DwarfValues
    private let ranges: DwarfRanges
    private(set) var units: [DwarfUnit] = []
    /// By unit.
    private(set) var code: [[Range<UInt64>]] = []
    /// By place.
    private var abbreviations: [Int: [UInt64: DwarfAbbreviation]] = [:]

    /// More entries are not read at once.
    private static let mostEntries = 1 << 22
    private static let mostChildren = 1 << 14

    init(_ sections: DwarfSections) {
        self.sections = sections
        values = DwarfValues(sections)
        ranges = DwarfRanges(sections)
        var reader = DwarfReader(sections.info)
        while reader.rest > 0, var unit = DwarfUnit(&reader) {
            if abbreviations[unit.abbreviations] == nil {
                var reader = DwarfReader(sections.abbreviations, at: unit.abbreviations)
                abbreviations[unit.abbreviations] = reader.abbreviations()
            }
            code.append(readFirstEntry(&unit))
            units.append(unit)
            reader.place = unit.end
        }
    }

    /// The number of the unit that the place is in.
    func unit(at place: Int) -> Int? {
        var low = 0
        var high = units.count
        while low < high {
            let middle = (low + high) / 2
            if units[middle].end <= place { low = middle + 1 } else { high = middle }
        }
        return low < units.count && units[low].entries <= place ? low : nil
    }

    // MARK: - Entries

    /// The entry alone.
    func entry(at place: Int) -> DwarfEntry? {
        guard let number = unit(at: place) else { return nil }
        let shapes = abbreviations(of: units[number])
        var reader = DwarfReader(sections.info, at: place)
        guard let code = reader.unsigned(), let shape = shapes[code] else { return nil }
        return read(shape, at: place, 0, &reader, units[number])
    }

    /// Calls `body` with the entry, and with those inside it, in their order, until it returns false.
    ///
    /// - Parameter tags: what else there is, is not shown.
    func visit(_ place: Int, _ tags: [UInt64], _ body: (DwarfEntry) -> Bool) {
        guard let number = unit(at: place) else { return }
        let unit = units[number]
        let shapes = abbreviations(of: unit)
        var reader = DwarfReader(sections.info, at: place)
        var depth = 0
        var count = 0
        while reader.place < unit.end, count < Self.mostEntries {
            count += 1
            let place = reader.place
            guard let code = reader.unsigned() else { return }
            if code == 0 {
                depth -= 1
            } else {
                guard let shape = shapes[code] else { return }
                if tags.contains(shape.tag) {
                    guard let entry = read(shape, at: place, depth, &reader, unit), body(entry) else { return }
                } else if !skip(shape, &reader, unit) {
                    return
                }
                if shape.hasChildren { depth += 1 }
            }
            if depth <= 0 { return }
        }
    }

    /// The entries that are directly inside the entry, of these kinds.
    func children(of place: Int, _ tags: [UInt64]) -> [DwarfEntry] {
        var found: [DwarfEntry] = []
        visit(place, tags) { entry in
            if entry.depth == 1 { found.append(entry) }
            return found.count < Self.mostChildren
        }
        return found
    }

    /// What the entry says, or one that says more of the same thing.
    func first<Found>(of entry: DwarfEntry, _ found: (DwarfEntry) -> Found?) -> Found? {
        var next: DwarfEntry? = entry
        for _ in 0..<8 {
            guard let entry = next else { return nil }
            if let found = found(entry) { return found }
            next = entry.origin.flatMap { self.entry(at: $0) }
        }
        return nil
    }

    private func read(
        _ shape: DwarfAbbreviation, at place: Int, _ depth: Int, _ reader: inout DwarfReader, _ unit: DwarfUnit
    ) -> DwarfEntry? {
        var found: [(UInt64, DwarfValue)] = []
        found.reserveCapacity(shape.attributes.count)
        for (attribute, form, constant) in shape.attributes {
            guard let value = values.read(form, constant, &reader, unit) else { return nil }
            found.append((attribute, value))
        }
        return DwarfEntry(place: place, depth: depth, tag: shape.tag, values: found)
    }

    private func skip(_ shape: DwarfAbbreviation, _ reader: inout DwarfReader, _ unit: DwarfUnit) -> Bool {
        shape.attributes.allSatisfy { values.read($0.form, $0.constant, &reader, unit) != nil }
    }

    /// Where the entry's code is.
    func ranges(of entry: DwarfEntry) -> [Range<UInt64>] {
        guard let number = unit(at: entry.place) else { return [] }
        return ranges(entry, units[number])
    }

    private func ranges(_ entry: DwarfEntry, _ unit: DwarfUnit) -> [Range<UInt64>] {
        ranges.ranges(low: entry[.lowest], high: entry[.highest], list: entry[.ranges], unit)
    }

    // MARK: - Units

    /// What the unit says of itself: its code.
    private func readFirstEntry(_ unit: inout DwarfUnit) -> [Range<UInt64>] {
        // The bases of tables may come after what needs them.
        for attempt in 0..<2 {
            var reader = DwarfReader(sections.info, at: unit.entries)
            guard let code = reader.unsigned(), let shape = abbreviations(of: unit)[code], shape.isUnit,
                let entry = read(shape, at: unit.entries, 0, &reader, unit)
            else { return [] }
            func number(_ attribute: DwarfAttribute) -> Int? { entry[attribute]?.number.flatMap { Int(exactly: $0) } }
            unit.stringBase = number(.stringBase) ?? unit.stringBase
            unit.addressBase = number(.addressBase) ?? unit.addressBase
            unit.rangeBase = number(.rangeBase) ?? unit.rangeBase
            unit.locationBase = number(.locationBase) ?? unit.locationBase
            unit.lines = number(.lines)
            unit.lowest = entry[.lowest]?.number ?? 0
            if attempt == 1 { return ranges(entry, unit) }
        }
        return []
    }

    private func abbreviations(of unit: DwarfUnit) -> [UInt64: DwarfAbbreviation] {
        abbreviations[unit.abbreviations] ?? [:]
    }
}
