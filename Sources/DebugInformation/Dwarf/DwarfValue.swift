/// The value of an attribute.
enum DwarfValue: Sendable {
    case number(UInt64)
    case address(UInt64)
    /// The beginning of a text, which is read on demand.
    case text(ByteReader)
    /// The offset of an entry in `.debug_info`.
    case entry(Int)
    /// The number of one of the unit's range lists.
    case rangeIndex(UInt64)
    /// The number of one of the unit's location lists.
    case locationIndex(UInt64)
    /// The operations that compute something, or other bytes.
    case block(ByteReader)
    /// A value that is not used here, that is in another file, or whose index or offset leads to nothing readable.
    case other

    /// The number or the address.
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

    /// The text as a name in the source, of limited length.
    var name: String? {
        guard case .text(let reader) = self else { return nil }
        return reader.beginningOfText(Limits.nameBytes)
    }
}
