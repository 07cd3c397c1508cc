/// Numbers at the ends of what the fields of ELF and DWARF hold, as files have them.
enum ExtremeBytes {
    static let all: [[UInt8]] =
        [1, 2, 4, 8].flatMap { size -> [[UInt8]] in
            let rest = [UInt8](repeating: 0xFF, count: size - 1)
            let zeros = [UInt8](repeating: 0, count: size)
            // 0, the greatest number, the greatest one with a sign, the least one.
            return [zeros, rest + [0xFF], rest + [0x7F], zeros.dropLast() + [0x80]]
        }
        // With seven bits in each byte: 2⁶⁴ - 1, 2⁶³ - 1, -2⁶³, and one that does not end.
        + [
            [UInt8](repeating: 0xFF, count: 9) + [1], [UInt8](repeating: 0xFF, count: 8) + [0x7F],
            [UInt8](repeating: 0x80, count: 9) + [0x7F], [UInt8](repeating: 0x80, count: 12),
        ]

    /// The content with one of them at a place, as far as it reaches.
    static func changed(_ content: [UInt8], at place: Int, _ bytes: [UInt8]) -> [UInt8] {
        var changed = content
        for (offset, byte) in bytes.enumerated() where place + offset < content.count { changed[place + offset] = byte }
        return changed
    }
}
