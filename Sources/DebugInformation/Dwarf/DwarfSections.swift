/// The sections of a file that a compiler writes for debuggers (DWARF, versions 2 to 5).
package struct DwarfSections: Sendable {
    let info: [UInt8]
    let abbreviations: [UInt8]
    let strings: [UInt8]
    let lineStrings: [UInt8]
    let stringOffsets: [UInt8]
    let addresses: [UInt8]
    let ranges: [UInt8]
    let rangeLists: [UInt8]
    let locations: [UInt8]
    let locationLists: [UInt8]

    package init(_ section: (String) -> [UInt8]) {
        info = section(".debug_info")
        abbreviations = section(".debug_abbrev")
        strings = section(".debug_str")
        lineStrings = section(".debug_line_str")
        stringOffsets = section(".debug_str_offsets")
        addresses = section(".debug_addr")
        ranges = section(".debug_ranges")
        rangeLists = section(".debug_rnglists")
        locations = section(".debug_loc")
        locationLists = section(".debug_loclists")
    }
}

extension ByteReader {
    /// Reads the length with which a unit begins. Returns the unit's bytes, which follow it, and whether the unit's
    /// offsets have eight bytes.
    ///
    /// Nil: the unit is longer than the rest of the section.
    mutating func unit() -> (bytes: ByteReader, is64: Bool)? {
        guard let first = integer(4) else { return nil }
        // A length of eight bytes follows this value.
        let is64 = first == 0xFFFF_FFFF
        guard let bytes = block(is64 ? offset(8) : Int(first)) else { return nil }
        return (bytes, is64)
    }
}
