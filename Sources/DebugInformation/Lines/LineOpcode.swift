/// The standard opcodes of line number programs (`DW_LNS_…`), and 0, which introduces an extended one. Opcodes from
/// `LineHeader.opcodeBase` on are special ones, each of which makes a row.
enum LineOpcode: Int {
    case extended = 0
    case copy = 1
    case advancePc = 2
    case advanceLine = 3
    case setFile = 4
    case setColumn = 5
    case negateStmt = 6
    case setBasicBlock = 7
    case constAddPc = 8
    case fixedAdvancePc = 9
    case setPrologueEnd = 10
    case setEpilogueBegin = 11
    case setIsa = 12
}

/// The extended opcodes (`DW_LNE_…`). Such an instruction is `LineOpcode.extended`, the length of the rest, the extended
/// opcode, and its operands.
enum ExtendedLineOpcode: UInt64 {
    case endSequence = 1
    case setAddress = 2
    case defineFile = 3
    case setDiscriminator = 4
}

/// The contents of columns in the tables of files and folders (`DW_LNCT_…`).
enum LineContent: UInt64 {
    case path = 1
    case directoryIndex = 2
    case timestamp = 3
    case size = 4
    case md5 = 5
}
