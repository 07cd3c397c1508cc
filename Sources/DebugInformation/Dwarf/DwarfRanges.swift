/// Where the code of an entry is, which may be in several pieces.
struct DwarfRanges: Sendable {
    private let sections: DwarfSections
    private let values: DwarfValues
    /// More pieces are not read.
    private static let most = 1 << 12

    init(_ sections: DwarfSections) {
        self.sections = sections
        values = DwarfValues(sections)
    }

    /// - Parameters:
    ///   - low: the value of the attribute `low_pc`, and so on.
    func ranges(low: DwarfValue?, high: DwarfValue?, list: DwarfValue?, _ unit: DwarfUnit) -> [Range<UInt64>] {
        if let list { return ranges(list, unit) }
        guard case .address(let start)? = low, let high else { return [] }
        let end: UInt64? =
            switch high {
            case .address(let end): end
            case .number(let length): start &+ length
            case .text, .entry, .rangeIndex, .locationIndex, .block, .other: nil
            }
        guard let end, end > start else { return [] }
        return [start..<end]
    }

    private func ranges(_ list: DwarfValue, _ unit: DwarfUnit) -> [Range<UInt64>] {
        switch list {
        case .rangeIndex(let index):
            guard index < 1 << 32 else { return [] }
            var table = DwarfReader(sections.rangeLists, at: unit.rangeBase &+ Int(index) &* unit.offsetSize)
            return table.offset(unit).map { newRanges(unit.rangeBase &+ $0, unit) } ?? []
        case .number(let offset):
            guard let place = Int(exactly: offset) else { return [] }
            return unit.version == 5 ? newRanges(place, unit) : oldRanges(place, unit)
        case .address, .text, .entry, .locationIndex, .block, .other: return []
        }
    }

    /// Before version 5: pairs of addresses.
    private func oldRanges(_ place: Int, _ unit: DwarfUnit) -> [Range<UInt64>] {
        var reader = DwarfReader(sections.ranges, at: place)
        var base = unit.lowest
        var found: [Range<UInt64>] = []
        while found.count < Self.most, let start = reader.integer(8), let end = reader.integer(8),
            start != 0 || end != 0
        {
            if start == .max { base = end } else { add(base &+ start, base &+ end, to: &found) }
        }
        return found
    }

    private func newRanges(_ place: Int, _ unit: DwarfUnit) -> [Range<UInt64>] {
        var reader = DwarfReader(sections.rangeLists, at: place)
        var base = unit.lowest
        var found: [Range<UInt64>] = []
        func indexed() -> UInt64? {
            reader.unsigned().flatMap { Int(exactly: $0) }.flatMap { values.address($0, unit) }
        }
        while found.count < Self.most, let kind = reader.integer(1), kind != 0 {
            switch kind {
            case 1:
                guard let address = indexed() else { return found }
                base = address
            case 2:
                guard let start = indexed(), let end = indexed() else { return found }
                add(start, end, to: &found)
            case 3:
                guard let start = indexed(), let length = reader.unsigned() else { return found }
                add(start, start &+ length, to: &found)
            case 4:
                guard let start = reader.unsigned(), let end = reader.unsigned() else { return found }
                add(base &+ start, base &+ end, to: &found)
            case 5:
                guard let address = reader.integer(8) else { return found }
                base = address
            case 6:
                guard let start = reader.integer(8), let end = reader.integer(8) else { return found }
                add(start, end, to: &found)
            case 7:
                guard let start = reader.integer(8), let length = reader.unsigned() else { return found }
                add(start, start &+ length, to: &found)
            default: return found
            }
        }
        return found
    }

    private func add(_ start: UInt64, _ end: UInt64, to found: inout [Range<UInt64>]) {
        if start < end { found.append(start..<end) }
    }
}
