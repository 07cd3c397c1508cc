/// The operations by which the place of a variable is computed: the standard's numbers (`DW_OP_…`), of those that are read.
enum DwarfOperation {
    case addr
    case deref
    case plusUconst
    /// A small number.
    case lit
    /// The variable is in this register.
    case reg(UInt64)
    /// A distance from what is in this register.
    case breg(UInt64)
    /// A distance from the function's frame base.
    case fbreg
    case piece
    case callFrameCfa
    case stackValue
    case addrx

    /// Nil: another one.
    init?(_ code: UInt64) {
        switch code {
        case 0x03: self = .addr
        case 0x06: self = .deref
        case 0x23: self = .plusUconst
        case 0x30...0x4F: self = .lit
        case 0x50...0x6F: self = .reg(code - 0x50)
        case 0x70...0x8F: self = .breg(code - 0x70)
        case 0x91: self = .fbreg
        case 0x93: self = .piece
        case 0x9C: self = .callFrameCfa
        case 0x9F: self = .stackValue
        // That of version 5, and GNU's before it (`DW_OP_GNU_addr_index`).
        case 0xA1, 0xFB: self = .addrx
        default: return nil
        }
    }
}

extension ByteReader {
    /// Nil: it is not known, or there is no more.
    mutating func operation() -> DwarfOperation? { integer(1).flatMap { DwarfOperation($0) } }

    /// What is added to the start of an object for a member, as old versions say it. Nil: it says more than that.
    mutating func memberOffset() -> UInt64? {
        guard case .plusUconst? = operation(), let offset = unsigned(), rest == 0 else { return nil }
        return offset
    }
}

extension DwarfDecoder {
    /// The address of a global variable. Nil: the operations say more than that.
    func address(_ expression: ByteReader, _ context: DwarfContext) -> UInt64? {
        var reader = expression
        let address: UInt64? =
            switch reader.operation() {
            case .addr: reader.integer(8)
            case .addrx: reader.unsigned().flatMap { self.address($0, context) }
            case .deref, .plusUconst, .lit, .reg, .breg, .fbreg, .piece, .callFrameCfa, .stackValue, nil: nil
            }
        return reader.rest == 0 ? address : nil
    }
}
