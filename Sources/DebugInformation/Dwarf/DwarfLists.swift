/// The kinds of entries of range lists and location lists in version 5. Their positions in these arrays are the
/// standard's numbers (`DW_RLE_…`, `DW_LLE_…`). An `x` in a name marks an index of the unit's table of addresses.
private enum DwarfRowKind {
    case endOfList, baseAddressx, startxEndx, startxLength, offsetPair, defaultLocation, baseAddress, startEnd
    case startLength

    static let ofRanges: [DwarfRowKind] = [
        .endOfList, .baseAddressx, .startxEndx, .startxLength, .offsetPair, .baseAddress, .startEnd, .startLength,
    ]
    static let ofLocations: [DwarfRowKind] = [
        .endOfList, .baseAddressx, .startxEndx, .startxLength, .offsetPair, .defaultLocation, .baseAddress, .startEnd,
        .startLength,
    ]
}

/// Reads range lists, which say where an entry's code is, and location lists, which say where a variable is in which
/// code.
struct DwarfLists: Sendable {
    private let sections: DwarfSections
    private let decoder: DwarfDecoder

    init(_ sections: DwarfSections) {
        self.sections = sections
        decoder = DwarfDecoder(sections)
    }

    /// Where a variable is.
    struct Location {
        /// The code for which the place holds. Nil: all code.
        let code: Range<UInt64>?
        /// The operations that compute the place.
        let expression: ByteReader

        func covers(_ place: UInt64) -> Bool { code?.contains(place) ?? true }
    }

    // MARK: - What an entry says

    /// The ranges of an entry's code.
    ///
    /// - Parameters:
    ///   - low: the value of the attribute `DW_AT_low_pc`.
    ///   - high: the value of `DW_AT_high_pc`, an address or a length.
    ///   - list: the value of `DW_AT_ranges`.
    func ranges(
        low: DwarfValue?, high: DwarfValue?, list: DwarfValue?, _ unit: DwarfUnit, _ work: inout Work
    ) -> [Range<UInt64>] {
        if let list { return ranges(list, unit, &work) }
        guard case .address(let start)? = low, let high else { return [] }
        let end: UInt64? =
            switch high {
            case .address(let end): end
            case .number(let length): start.saturatingAdd(length)
            case .text, .entry, .rangeIndex, .locationIndex, .block, .other: nil
            }
        guard let end, end > start else { return [] }
        return [start..<end]
    }

    private func ranges(_ list: DwarfValue, _ unit: DwarfUnit, _ work: inout Work) -> [Range<UInt64>] {
        let reader: ByteReader? =
            switch list {
            case .rangeIndex(let index): place(of: index, in: sections.rangeLists, unit.rangeBase, unit)
            case .number(let offset):
                ByteReader(unit.context.version == 5 ? sections.rangeLists : sections.ranges, offset: offset)
            case .address, .text, .entry, .locationIndex, .block, .other: nil
            }
        var found: [Range<UInt64>] = []
        if let reader {
            read(reader, Limits.ranges, isOfLocations: false, unit, &work) { code, _ in found.append(code) }
        }
        return found
    }

    /// The places of a variable, given its attribute `DW_AT_location`, or of a frame base.
    func locations(_ value: DwarfValue, _ unit: DwarfUnit, _ work: inout Work) -> [Location] {
        let reader: ByteReader?
        switch value {
        case .block(let expression): return [Location(code: nil, expression: expression)]
        case .locationIndex(let index):
            reader = place(of: index, in: sections.locationLists, unit.locationBase, unit)
        case .number(let offset):
            reader = ByteReader(unit.context.version == 5 ? sections.locationLists : sections.locations, offset: offset)
        case .address, .text, .entry, .rangeIndex, .other: reader = nil
        }
        var found: [Location] = []
        if let reader {
            read(reader, Limits.locations, isOfLocations: true, unit, &work) {
                found.append(Location(code: $0, expression: $1))
            }
        }
        return found
    }

    /// The list with this number. A table at the base contains the place of each list, relative to the base.
    private func place(of index: UInt64, in section: [UInt8], _ base: Int, _ unit: DwarfUnit) -> ByteReader? {
        var table = ByteReader(section, row: index, size: unit.context.offsetSize, from: base)
        return table.offset(unit.context.offsetSize)?.adding(base).map { ByteReader(section, at: $0) }
    }

    // MARK: - Rows

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - most: the maximum number of entries that are read.
    ///   - isOfLocations: whether the list is a location list, whose entries have expressions.
    ///   - body: called with each range of code and the expression that holds there, which is meaningless in a range
    ///     list.
    private func read(
        _ reader: ByteReader, _ most: Int, isOfLocations: Bool, _ unit: DwarfUnit, _ work: inout Work,
        _ body: (Range<UInt64>, ByteReader) -> Void
    ) {
        var reader = reader
        var base = unit.lowest
        for _ in 0..<most where work.take(1) {
            let isNew = unit.context.version == 5
            guard let row = isNew ? newRow(&reader, isOfLocations, unit) : oldRow(&reader) else { return }
            var code: Range<UInt64>?
            switch row {
            case .end: return
            case .base(let address):
                base = address
                continue
            case .distances(let start, let end): code = range(base.saturatingAdd(start), base.saturatingAdd(end))
            case .addresses(let start, let end): code = range(start, end)
            }
            var expression = reader
            if isOfLocations {
                let length = isNew ? reader.unsigned().flatMap { Int(exactly: $0) } : reader.offset(2)
                guard let block = reader.block(length) else { return }
                expression = block
            }
            if let code { body(code, expression) }
        }
    }

    private func range(_ start: UInt64, _ end: UInt64) -> Range<UInt64>? { start < end ? start..<end : nil }

    /// An entry of a list.
    private enum Row {
        case end
        /// The address to which the following distances are relative.
        case base(UInt64)
        /// A range of code, as distances from the base.
        case distances(UInt64, UInt64)
        /// A range of code.
        case addresses(UInt64, UInt64)
    }

    /// Reads an entry of a list before version 5: a pair of distances. Two zeros end the list, and a new base follows
    /// the greatest number.
    private func oldRow(_ reader: inout ByteReader) -> Row? {
        guard let start = reader.integer(8), let end = reader.integer(8) else { return nil }
        if start == 0 && end == 0 { return .end }
        return start == .max ? .base(end) : .distances(start, end)
    }

    /// Reads an entry of a list of version 5, up to its expression.
    private func newRow(_ reader: inout ByteReader, _ isOfLocations: Bool, _ unit: DwarfUnit) -> Row? {
        let kinds = isOfLocations ? DwarfRowKind.ofLocations : DwarfRowKind.ofRanges
        guard let kind = reader.offset(1), kinds.indices.contains(kind) else { return nil }
        switch kinds[kind] {
        case .endOfList: return .end
        case .baseAddressx: return address(&reader, unit).map { .base($0) }
        case .baseAddress: return reader.integer(8).map { .base($0) }
        case .startxEndx:
            guard let start = address(&reader, unit), let end = address(&reader, unit) else { return nil }
            return .addresses(start, end)
        case .startxLength:
            guard let start = address(&reader, unit), let length = reader.unsigned() else { return nil }
            return .addresses(start, start.saturatingAdd(length))
        case .offsetPair:
            guard let start = reader.unsigned(), let end = reader.unsigned() else { return nil }
            return .distances(start, end)
        case .defaultLocation: return .addresses(0, .max)
        case .startEnd:
            guard let start = reader.integer(8), let end = reader.integer(8) else { return nil }
            return .addresses(start, end)
        case .startLength:
            guard let start = reader.integer(8), let length = reader.unsigned() else { return nil }
            return .addresses(start, start.saturatingAdd(length))
        }
    }

    /// Reads an index of the unit's table of addresses. Returns the address there.
    private func address(_ reader: inout ByteReader, _ unit: DwarfUnit) -> UInt64? {
        reader.unsigned().flatMap { decoder.address($0, unit.context) }
    }
}

extension ByteReader {
    /// Nothing can be read if the offset is too large.
    fileprivate init(_ bytes: [UInt8], offset: UInt64) { self.init(bytes, at: Int(exactly: offset) ?? .max) }
}
