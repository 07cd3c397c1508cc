/// What `.debug_info` says of one thing: a function, a variable, a type.
struct DwarfEntry {
    let place: Int
    /// In how many others it is, from where the reading began.
    let depth: Int
    let tag: UInt64
    let values: [(attribute: UInt64, value: DwarfValue)]

    subscript(attribute: DwarfAttribute) -> DwarfValue? {
        values.first { $0.attribute == attribute.rawValue }?.value
    }

    var name: String? { self[.name]?.text }
    var type: Int? { self[.type]?.entry }
    var isInlined: Bool { tag == DwarfTag.inlined }

    /// The entry that says more of the same thing.
    var origin: Int? { (self[.abstractOrigin] ?? self[.specification])?.entry }
}

enum DwarfAttribute: UInt64 {
    case location = 0x02
    case name = 0x03
    case size = 0x0B
    case bitSize = 0x0D
    case lines = 0x10
    case lowest = 0x11
    case highest = 0x12
    case upperBound = 0x2F
    case abstractOrigin = 0x31
    case count = 0x37
    case memberPlace = 0x38
    case declaration = 0x3C
    case frameBase = 0x40
    case specification = 0x47
    case type = 0x49
    case ranges = 0x55
    case callFile = 0x58
    case callLine = 0x59
    case bitPlace = 0x6B
    case linkageName = 0x6E
    case stringBase = 0x72
    case addressBase = 0x73
    case rangeBase = 0x74
    case locationBase = 0x8C
    case oldLinkageName = 0x2007
}

enum DwarfTag {
    static let array: UInt64 = 0x01
    static let parameter: UInt64 = 0x05
    static let block: UInt64 = 0x0B
    static let member: UInt64 = 0x0D
    static let pointer: UInt64 = 0x0F
    static let base: UInt64 = 0x1C
    static let inlined: UInt64 = 0x1D
    static let bounds: UInt64 = 0x21
    static let function: UInt64 = 0x2E
    static let variable: UInt64 = 0x34

    /// Types that are another one with a name, or with a word before it: typedef, const, volatile, restrict, atomic.
    static let same: Set<UInt64> = [0x16, 0x26, 0x35, 0x37, 0x47]
    static let references: Set<UInt64> = [0x10, 0x42]
    static let union: UInt64 = 0x17
    /// Classes, structures and unions.
    static let structures: Set<UInt64> = [0x02, 0x13, union]
}

/// The form of an entry: what it is, and what it says of itself.
struct DwarfAbbreviation: Sendable {
    let tag: UInt64
    let hasChildren: Bool
    var attributes: [(attribute: UInt64, form: UInt64, constant: Int)] = []

    var isUnit: Bool { tag == 0x11 || tag == 0x3C || tag == 0x4A }
}

extension DwarfReader {
    /// By number, up to the end of the table or what cannot be read.
    mutating func abbreviations() -> [UInt64: DwarfAbbreviation] {
        var found: [UInt64: DwarfAbbreviation] = [:]
        while let code = unsigned(), code != 0, let tag = unsigned(), let children = integer(1) {
            var made = DwarfAbbreviation(tag: tag, hasChildren: children != 0)
            while true {
                guard let attribute = unsigned(), let form = unsigned() else { return found }
                var constant = 0
                if form == 0x21 {
                    guard let number = signed() else { return found }
                    constant = number
                }
                if attribute == 0 && form == 0 { break }
                made.attributes.append((attribute, form, constant))
            }
            found[code] = made
        }
        return found
    }
}
