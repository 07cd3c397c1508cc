/// The tags of entries that are used here, by the standard's numbers (`DW_TAG_…`).
enum DwarfTag: UInt64 {
    case arrayType = 0x01
    case classType = 0x02
    case formalParameter = 0x05
    case lexicalBlock = 0x0B
    case member = 0x0D
    case pointerType = 0x0F
    case referenceType = 0x10
    case compileUnit = 0x11
    case structureType = 0x13
    case typedef = 0x16
    case unionType = 0x17
    case inheritance = 0x1C
    case inlinedSubroutine = 0x1D
    case subrangeType = 0x21
    case constType = 0x26
    case subprogram = 0x2E
    case variable = 0x34
    case volatileType = 0x35
    case restrictType = 0x37
    case partialUnit = 0x3C
    case rvalueReferenceType = 0x42
    case atomicType = 0x47
    case skeletonUnit = 0x4A

    /// Units of `.debug_info`.
    static let units: [DwarfTag] = [.compileUnit, .partialUnit, .skeletonUnit]
    /// Types that give another type a name or a qualifier, such as `const`.
    static let same: [DwarfTag] = [.typedef, .constType, .volatileType, .restrictType, .atomicType]
    static let references: [DwarfTag] = [.referenceType, .rvalueReferenceType]
    static let structures: [DwarfTag] = [.classType, .structureType, .unionType]
}
