/// A unit of `.debug_info`: what was compiled at once.
struct DwarfUnit: Sendable {
    /// The places of its first entry and of its end.
    let entries: Int
    let end: Int
    /// Of its abbreviations.
    let abbreviations: Int
    var context: DwarfContext
    /// What its first entry says: where its tables of ranges and locations begin, and its code.
    var rangeBase = 0
    var locationBase = 0
    var lowest: UInt64 = 0
    /// Of the table of lines. Nil: it has none.
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

    /// Nil: it cannot be read, and so neither what follows.
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
        // A hash of what is in another file; that of a type, and its place.
        let isRead =
            switch kind {
            case .skeleton, .splitCompile: reader.skip(8)
            case .type, .splitType: reader.skip(8 + offsetSize)
            case .compile, .partial, nil: true
            }
        entries = isRead ? reader.place : end
        // Behind the headers of the tables.
        let (base, listBase) = version < 5 ? (0, 0) : unit.is64 ? (16, 20) : (8, 12)
        context = DwarfContext(version: version, is64: unit.is64, start: start, strings: base, addresses: base)
        (rangeBase, locationBase) = (listBase, listBase)
    }

    /// What the unit's first entry says of its tables.
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
