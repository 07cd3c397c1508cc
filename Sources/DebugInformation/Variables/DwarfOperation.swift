/// The operations of expressions that are used here, by the standard's numbers (`DW_OP_…`).
enum DwarfOperation {
    case addr
    case deref
    /// A constant of eight bytes.
    case const8u
    case plusUconst
    /// A constant from 0 to 31.
    case lit
    /// The variable is in this register.
    case reg(UInt64)
    /// The value of this register, plus a distance.
    case breg(UInt64)
    /// The function's frame base, plus a distance.
    case fbreg
    /// The operations before it give the place of the variable's next piece, whose size follows.
    case piece
    /// The canonical frame address: the end of the frame.
    case callFrameCfa
    /// The operations before it give the variable's value, not its place.
    case stackValue
    case addrx
    /// The operations before it give the place of a thread-local variable, which is the same for all threads.
    case threadLocal

    /// Nil: an operation that is not used here.
    init?(_ code: UInt64) {
        switch code {
        case 0x03: self = .addr
        case 0x06: self = .deref
        case 0x0E: self = .const8u
        case 0x23: self = .plusUconst
        case 0x30...0x4F: self = .lit
        case 0x50...0x6F: self = .reg(code - 0x50)
        case 0x70...0x8F: self = .breg(code - 0x70)
        case 0x91: self = .fbreg
        case 0x93: self = .piece
        case 0x9C: self = .callFrameCfa
        case 0x9F: self = .stackValue
        // The number of version 5, and GNU's before it (`DW_OP_GNU_addr_index`).
        case 0xA1, 0xFB: self = .addrx
        // The number of version 3, and GNU's before it (`DW_OP_GNU_push_tls_address`).
        case 0x9B, 0xE0: self = .threadLocal
        default: return nil
        }
    }
}

extension ByteReader {
    /// The next operation. Nil: it is not known, or the expression is at its end.
    mutating func operation() -> DwarfOperation? { integer(1).flatMap { DwarfOperation($0) } }

    /// The place of a thread-local variable: its distance from the beginning of the file's variables of that kind. Nil:
    /// the expression is another one.
    mutating func threadLocalPlace() -> UInt64? {
        guard case .const8u? = operation(), let place = integer(8), case .threadLocal? = operation(), rest == 0 else {
            return nil
        }
        return place
    }

    /// The offset of a member, which old compilers give as an expression. Nil: the expression is not a constant offset.
    mutating func memberOffset() -> UInt64? {
        guard case .plusUconst? = operation(), let offset = unsigned(), rest == 0 else { return nil }
        return offset
    }
}

extension DwarfDecoder {
    /// The address of a global variable. Nil: the expression is not a constant address.
    func address(_ expression: ByteReader, _ context: DwarfContext) -> UInt64? {
        var reader = expression
        let address: UInt64? =
            switch reader.operation() {
            case .addr: reader.integer(8)
            case .addrx: reader.unsigned().flatMap { self.address($0, context) }
            case .deref, .const8u, .plusUconst, .lit, .reg, .breg, .fbreg, .piece, .callFrameCfa, .stackValue,
                .threadLocal, nil:
                nil
            }
        return reader.rest == 0 ? address : nil
    }
}
