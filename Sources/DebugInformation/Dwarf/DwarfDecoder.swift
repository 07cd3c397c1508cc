/// What the encoding of values in a unit depends on, besides the form of each value.
struct DwarfContext: Sendable {
    let version: Int
    /// Whether offsets have eight bytes.
    let is64: Bool
    /// The offset of the unit in its section. References to entries are relative to it.
    let start: Int
    /// The offset of the unit's part of `.debug_str_offsets`.
    var strings: Int
    /// The offset of the unit's part of `.debug_addr`.
    var addresses: Int

    var offsetSize: Int { is64 ? 8 : 4 }
}

/// Reads the values of entries' attributes, and those in the tables of files of line tables, in all forms.
struct DwarfDecoder: Sendable {
    private let sections: DwarfSections

    init(_ sections: DwarfSections) { self.sections = sections }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - form: the form of the value. Nil: the form is not known.
    ///   - constant: the value in the abbreviation, which the form `DW_FORM_implicit_const` has.
    /// - Returns: nil if the value cannot be read. Then what follows it cannot be read either.
    func value(
        _ form: DwarfForm?, constant: Int = 0, _ reader: inout ByteReader, _ context: DwarfContext
    ) -> DwarfValue? {
        switch form {
        case .data1, .flag: return reader.integer(1).map { .number($0) }
        case .data2: return reader.integer(2).map { .number($0) }
        case .data4: return reader.integer(4).map { .number($0) }
        case .data8: return reader.integer(8).map { .number($0) }
        case .data16: return reader.skip(16) ? .other : nil
        case .sdata: return reader.signed().map { .number(UInt64(bitPattern: Int64($0))) }
        case .udata: return reader.unsigned().map { .number($0) }
        case .implicitConst: return .number(UInt64(bitPattern: Int64(constant)))
        case .flagPresent: return .number(1)
        case .secOffset: return reader.integer(context.offsetSize).map { .number($0) }

        case .addr: return reader.integer(8).map { .address($0) }
        case .addrx: return addressValue(reader.unsigned(), context)
        case .addrx1: return addressValue(reader.integer(1), context)
        case .addrx2: return addressValue(reader.integer(2), context)
        case .addrx3: return addressValue(reader.integer(3), context)
        case .addrx4: return addressValue(reader.integer(4), context)

        case .string:
            let text = reader
            return reader.skipText() ? .text(text) : nil
        case .strp: return text(sections.strings, &reader, context)
        case .lineStrp: return text(sections.lineStrings, &reader, context)
        case .strx: return text(reader.unsigned(), context)
        case .strx1: return text(reader.integer(1), context)
        case .strx2: return text(reader.integer(2), context)
        case .strx3: return text(reader.integer(3), context)
        case .strx4: return text(reader.integer(4), context)

        case .ref1: return reference(reader.integer(1), context)
        case .ref2: return reference(reader.integer(2), context)
        case .ref4: return reference(reader.integer(4), context)
        case .ref8: return reference(reader.integer(8), context)
        case .refUdata: return reference(reader.unsigned(), context)
        // In version 2, the offset has the size of an address.
        case .refAddr: return reader.offset(context.version == 2 ? 8 : context.offsetSize).map { .entry($0) }

        case .block1: return reader.block(reader.offset(1)).map { .block($0) }
        case .block2: return reader.block(reader.offset(2)).map { .block($0) }
        case .block4: return reader.block(reader.offset(4)).map { .block($0) }
        case .block, .exprloc: return reader.block(reader.unsigned().flatMap { Int(exactly: $0) }).map { .block($0) }

        case .loclistx: return reader.unsigned().map { .locationIndex($0) }
        case .rnglistx: return reader.unsigned().map { .rangeIndex($0) }

        // References to type units and to other files, which are not read.
        case .refSig8, .refSup8: return reader.skip(8) ? .other : nil
        case .refSup4: return reader.skip(4) ? .other : nil
        case .strpSup, .gnuRefAlt, .gnuStrpAlt: return reader.skip(context.offsetSize) ? .other : nil

        case .indirect:
            guard let form = reader.unsigned().flatMap(DwarfForm.init), form != .indirect else { return nil }
            return value(form, &reader, context)
        case nil: return nil
        }
    }

    /// Reads an offset. Returns the text at this offset in the section.
    private func text(_ section: [UInt8], _ reader: inout ByteReader, _ context: DwarfContext) -> DwarfValue? {
        reader.offset(context.offsetSize).map { .text(ByteReader(section, at: $0)) }
    }

    /// The text with this number in the unit's part of `.debug_str_offsets`. Nil: the number could not be read.
    private func text(_ index: UInt64?, _ context: DwarfContext) -> DwarfValue? {
        guard let index else { return nil }
        var table = ByteReader(sections.stringOffsets, row: index, size: context.offsetSize, from: context.strings)
        return text(sections.strings, &table, context) ?? .other
    }

    /// The value that is the address with this number. Nil: the number could not be read.
    private func addressValue(_ index: UInt64?, _ context: DwarfContext) -> DwarfValue? {
        index.map { address($0, context).map { .address($0) } ?? .other }
    }

    /// The entry at this distance from the beginning of the unit. Nil: the distance could not be read.
    private func reference(_ distance: UInt64?, _ context: DwarfContext) -> DwarfValue? {
        distance.map { Int(exactly: $0)?.adding(context.start).map { .entry($0) } ?? .other }
    }

    /// The address with this number in the unit's part of `.debug_addr`.
    func address(_ index: UInt64, _ context: DwarfContext) -> UInt64? {
        var table = ByteReader(sections.addresses, row: index, size: 8, from: context.addresses)
        return table.integer(8)
    }
}
