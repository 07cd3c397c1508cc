/// What an entry says of one thing.
enum DwarfValue: Sendable {
    case number(UInt64)
    case address(UInt64)
    /// A text, which is read when it is asked for.
    case text(ByteReader)
    /// The place of an entry in `.debug_info`.
    case entry(Int)
    /// A number of the unit's lists of ranges, or of locations.
    case rangeIndex(UInt64)
    case locationIndex(UInt64)
    /// Operations by which something is computed, or other bytes.
    case block(ByteReader)
    /// What is not used, or is in another file.
    case other

    var number: UInt64? {
        switch self {
        case .number(let number), .address(let number): number
        case .text, .entry, .rangeIndex, .locationIndex, .block, .other: nil
        }
    }

    var entry: Int? { if case .entry(let place) = self { place } else { nil } }

    var expression: ByteReader? { if case .block(let bytes) = self { bytes } else { nil } }

    var text: String? {
        guard case .text(var reader) = self else { return nil }
        return reader.text()
    }

    /// A name of the source.
    var name: String? {
        guard case .text(let reader) = self else { return nil }
        return reader.beginningOfText(Limits.nameBytes)
    }
}
