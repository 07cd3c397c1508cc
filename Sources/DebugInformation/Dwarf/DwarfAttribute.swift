/// The attributes of entries that are used here, by the standard's numbers (`DW_AT_…`).
enum DwarfAttribute: UInt64 {
    case location = 0x02
    case name = 0x03
    case byteSize = 0x0B
    case bitSize = 0x0D
    case stmtList = 0x10
    case lowPc = 0x11
    case highPc = 0x12
    case upperBound = 0x2F
    case abstractOrigin = 0x31
    case count = 0x37
    case dataMemberLocation = 0x38
    case declaration = 0x3C
    case frameBase = 0x40
    case specification = 0x47
    case type = 0x49
    case ranges = 0x55
    case callFile = 0x58
    case callLine = 0x59
    case dataBitOffset = 0x6B
    case linkageName = 0x6E
    case strOffsetsBase = 0x72
    case addrBase = 0x73
    case rnglistsBase = 0x74
    case loclistsBase = 0x8C
    case mipsLinkageName = 0x2007
}
