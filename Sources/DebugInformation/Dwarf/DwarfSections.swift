/// The parts of a program's file that a compiler writes for debuggers (DWARF, versions 2 to 5).
package struct DwarfSections: Sendable {
    let info: [UInt8]
    let abbreviations: [UInt8]
    let strings: [UInt8]
    let lineStrings: [UInt8]
    let stringOffsets: [UInt8]
    let addresses: [UInt8]
    let ranges: [UInt8]
    let rangeLists: [UInt8]
    let locations: [UInt8]
    let locationLists: [UInt8]

    package init(_ section: (String) -> [UInt8]) {
        info = section(".debug_info")
        abbreviations = section(".debug_abbrev")
        strings = section(".debug_str")
        lineStrings = section(".debug_line_str")
        stringOffsets = section(".debug_str_offsets")
        addresses = section(".debug_addr")
        ranges = section(".debug_ranges")
        rangeLists = section(".debug_rnglists")
        locations = section(".debug_loc")
        locationLists = section(".debug_loclists")
    }
}

/// A unit of `.debug_info`: what was compiled at once.
struct DwarfUnit: Sendable {
    /// The offset of its first byte, the end, and the first entry.
    let start: Int
    let end: Int
    let entries: Int
    let version: Int
    let is64: Bool
    let abbreviations: Int
    /// What its first entry says: where its tables of texts, addresses, ranges and locations begin, and its code.
    var stringBase = 0
    var addressBase = 0
    var rangeBase = 0
    var locationBase = 0
    var lowest: UInt64 = 0
    /// Of the table of lines. Nil: it has none.
    var lines: Int?

    var offsetSize: Int { is64 ? 8 : 4 }

    /// Nil: it cannot be read, and so neither what follows.
    init?(_ reader: inout DwarfReader) {
        start = reader.place
        guard let first = reader.integer(4) else { return nil }
        is64 = first == 0xFFFF_FFFF
        guard let length = is64 ? reader.integer(8) : first, length <= UInt64(reader.rest), length > 0 else {
            return nil
        }
        end = reader.place + Int(length)
        guard let version = reader.integer(2), (2...5).contains(version) else { return nil }
        self.version = Int(version)
        var kind: UInt64 = 1
        if version == 5 {
            guard let type = reader.integer(1), reader.integer(1) == 8 else { return nil }
            kind = type
        }
        guard let abbreviations = reader.integer(is64 ? 8 : 4), let place = Int(exactly: abbreviations) else {
            return nil
        }
        self.abbreviations = place
        if version < 5 && reader.integer(1) != 8 { return nil }
        // What belongs to another file, or describes a type.
        if kind == 4 || kind == 5 { reader.place += 8 }
        if kind == 2 || kind == 6 { reader.place += 8 + (is64 ? 8 : 4) }
        entries = reader.place
        let base = is64 ? 16 : 8
        if version < 5 { return }
        (stringBase, addressBase) = (base, base)
        (rangeBase, locationBase) = (is64 ? 20 : 12, is64 ? 20 : 12)
    }
}

/// What an entry says of one thing.
enum DwarfValue {
    case number(UInt64)
    case address(UInt64)
    /// The place of a text in a section.
    case text([UInt8], Int)
    /// The place of an entry in `.debug_info`.
    case entry(Int)
    /// A number of the unit's lists of ranges, or of locations.
    case rangeIndex(UInt64)
    case locationIndex(UInt64)
    /// Bytes of a section: where they begin, and their number.
    case block([UInt8], Int, Int)
    case other

    var number: UInt64? {
        switch self {
        case .number(let number), .address(let number): number
        case .text, .entry, .rangeIndex, .locationIndex, .block, .other: nil
        }
    }

    var entry: Int? { if case .entry(let place) = self { place } else { nil } }

    /// The operations by which it is computed.
    var expression: DwarfReader? {
        guard case .block(let bytes, let place, let count) = self else { return nil }
        return DwarfReader(bytes, at: place, until: place + count)
    }

    var text: String? {
        guard case .text(let bytes, let place) = self else { return nil }
        var reader = DwarfReader(bytes, at: place)
        return reader.string()
    }
}

/// Reads the values of a unit's entries.
struct DwarfValues: Sendable {
    private let sections: DwarfSections

    init(_ sections: DwarfSections) { self.sections = sections }

    /// - Parameter constant: what the abbreviation itself says.
    /// - Returns: nil if the form is not known: then nothing behind it can be read.
    func read(_ form: UInt64, _ constant: Int, _ reader: inout DwarfReader, _ unit: DwarfUnit) -> DwarfValue? {
        switch form {
        case 0x0B, 0x0C: return reader.integer(1).map { .number($0) }
        case 0x05: return reader.integer(2).map { .number($0) }
        case 0x06: return reader.integer(4).map { .number($0) }
        case 0x07: return reader.integer(8).map { .number($0) }
        case 0x13: return reader.integer(4).map { .entry(unit.start &+ Int($0)) }
        case 0x01: return reader.integer(8).map { .address($0) }
        case 0x0D: return reader.signed().map { .number(UInt64(bitPattern: Int64($0))) }
        case 0x0F: return reader.unsigned().map { .number($0) }
        case 0x17: return reader.integer(unit.offsetSize).map { .number($0) }
        case 0x19: return .number(1)
        case 0x21: return .number(UInt64(bitPattern: Int64(constant)))
        case 0x16:
            guard let form = reader.unsigned(), form != 0x16 else { return nil }
            return read(form, 0, &reader, unit)
        case 0x22: return reader.unsigned().map { .locationIndex($0) }
        case 0x23: return reader.unsigned().map { .rangeIndex($0) }
        case 0x20, 0x24: return reader.skip(8)
        case 0x1E: return reader.skip(16)
        case 0x1C: return reader.skip(4)
        case 0x1D, 0x1F20, 0x1F21: return reader.skip(unit.offsetSize)
        case 0x03, 0x04, 0x0A, 0x09, 0x18: return block(form, &reader)
        default: return text(form, &reader, unit) ?? reference(form, &reader, unit)
        }
    }

    private func block(_ form: UInt64, _ reader: inout DwarfReader) -> DwarfValue? {
        let length =
            switch form {
            case 0x03: reader.integer(2)
            case 0x04: reader.integer(4)
            case 0x0A: reader.integer(1)
            default: reader.unsigned()
            }
        guard let length = length.flatMap({ Int(exactly: $0) }), reader.skip(length) != nil else { return nil }
        return .block(sections.info, reader.place - length, length)
    }

    private func text(_ form: UInt64, _ reader: inout DwarfReader, _ unit: DwarfUnit) -> DwarfValue? {
        switch form {
        case 0x08:
            let place = reader.place
            return reader.string().map { _ in .text(sections.info, place) }
        case 0x0E: return reader.offset(unit).map { .text(sections.strings, $0) }
        case 0x1F: return reader.offset(unit).map { .text(sections.lineStrings, $0) }
        default:
            guard let index = index(form, [0x1A, 0x25, 0x26, 0x27, 0x28], &reader) else { return nil }
            var table = DwarfReader(sections.stringOffsets, at: unit.stringBase &+ index &* unit.offsetSize)
            return table.offset(unit).map { .text(sections.strings, $0) } ?? .other
        }
    }

    private func reference(_ form: UInt64, _ reader: inout DwarfReader, _ unit: DwarfUnit) -> DwarfValue? {
        if (0x11...0x14).contains(form) {
            return reader.integer(1 << Int(form - 0x11)).flatMap { Int(exactly: $0) }.map { .entry(unit.start &+ $0) }
        }
        if form == 0x15 { return reader.unsigned().flatMap { Int(exactly: $0) }.map { .entry(unit.start &+ $0) } }
        if form == 0x10 {
            return reader.integer(unit.version == 2 ? 8 : unit.offsetSize).flatMap { Int(exactly: $0) }.map {
                .entry($0)
            }
        }
        guard let index = index(form, [0x1B, 0x29, 0x2A, 0x2B, 0x2C], &reader) else { return nil }
        return address(index, unit).map { .address($0) } ?? .other
    }

    /// The number of an entry of a table, whose form is the first of these, or one of the others, of 1 to 4 bytes.
    private func index(_ form: UInt64, _ forms: [UInt64], _ reader: inout DwarfReader) -> Int? {
        guard form >= 0x1A, let size = forms.firstIndex(of: form) else { return nil }
        return (size == 0 ? reader.unsigned() : reader.integer(size)).flatMap { Int(exactly: $0) }
    }

    func address(_ index: Int, _ unit: DwarfUnit) -> UInt64? {
        guard index >= 0, index < 1 << 40 else { return nil }
        var table = DwarfReader(sections.addresses, at: unit.addressBase &+ index &* 8)
        return table.integer(8)
    }
}

extension DwarfReader {
    fileprivate mutating func skip(_ count: Int) -> DwarfValue? {
        guard count >= 0, count <= rest else { return nil }
        place += count
        return .other
    }

    mutating func offset(_ unit: DwarfUnit) -> Int? { integer(unit.offsetSize).flatMap { Int(exactly: $0) } }
}
