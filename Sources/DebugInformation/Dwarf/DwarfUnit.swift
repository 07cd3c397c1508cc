/// A unit of `.debug_info`: usually one source file with all that it includes.
struct DwarfUnit: Sendable {
    /// The offset of its first entry.
    let entries: Int
    /// The offset of its end.
    let end: Int
    /// The offset of its table in `.debug_abbrev`.
    let abbreviations: Int
    var context: DwarfContext
    /// The offset of its part of `.debug_rnglists`.
    var rangeBase = 0
    /// The offset of its part of `.debug_loclists`.
    var locationBase = 0
    /// Its `DW_AT_low_pc`. Addresses in its lists are relative to it, unless a list sets another base.
    var lowest: UInt64 = 0
    /// The offset of its table in `.debug_line`. Nil: it has none.
    var lines: Int?

    /// The standard's numbers (`DW_UT_…`).
    private enum Kind: UInt64 {
        case compile = 1
        case type = 2
        case partial = 3
        case skeleton = 4
        case splitCompile = 5
        case splitType = 6
    }

    private static let addressSize: UInt64 = 8

    /// Nil: the unit cannot be read. Then what follows it cannot be read either.
    init?(_ section: inout ByteReader) {
        let start = section.place
        guard let unit = section.unit(), unit.bytes.rest > 0 else { return nil }
        var reader = unit.bytes
        end = section.place
        guard let version = reader.offset(2), (2...5).contains(version) else { return nil }
        let offsetSize = unit.is64 ? 8 : 4
        var kind: Kind? = .compile
        if version == 5 {
            guard let type = reader.integer(1), reader.integer(1) == Self.addressSize else { return nil }
            kind = Kind(rawValue: type)
        }
        guard let abbreviations = reader.offset(offsetSize) else { return nil }
        self.abbreviations = abbreviations
        if version < 5 && reader.integer(1) != Self.addressSize { return nil }
        // Skips the identifier of a split unit, or the hash and the offset of a type.
        let isRead =
            switch kind {
            case .skeleton, .splitCompile: reader.skip(8)
            case .type, .splitType: reader.skip(8 + offsetSize)
            case .compile, .partial, nil: true
            }
        entries = isRead ? reader.place : end
        // Unless an attribute says otherwise, the unit's part of a section is directly after the section's header. From
        // version 5 on, the header for texts and addresses has 8 bytes, or 16 with 64 bits; that for lists, 12 or 20.
        let (base, listBase) = version < 5 ? (0, 0) : unit.is64 ? (16, 20) : (8, 12)
        context = DwarfContext(version: version, is64: unit.is64, start: start, strings: base, addresses: base)
        (rangeBase, locationBase) = (listBase, listBase)
    }

    /// Takes the places of the unit's tables, and its lowest address, from its first entry.
    mutating func take(_ entry: DwarfEntry) {
        func place(_ attribute: DwarfAttribute) -> Int? { entry[attribute]?.number.flatMap { Int(exactly: $0) } }
        context.strings = place(.strOffsetsBase) ?? context.strings
        context.addresses = place(.addrBase) ?? context.addresses
        rangeBase = place(.rnglistsBase) ?? rangeBase
        locationBase = place(.loclistsBase) ?? locationBase
        lines = place(.stmtList)
        lowest = entry[.lowPc]?.number ?? 0
    }
}
