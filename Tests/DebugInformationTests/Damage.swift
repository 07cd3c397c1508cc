@testable import DebugInformation

/// Files that are damaged, each by a seed.
struct Damage {
    private let bytes: [UInt8]
    /// Where what is read is in the file: its header, the headers of its sections, and the sections.
    private let parts: [Range<Int>]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let file = ElfFile(bytes)
        let sections = Self.names.compactMap { file?.sections[$0] }
        // The headers of sections are behind all of them.
        parts = [0..<64, (sections.map(\.upperBound).max() ?? 0)..<bytes.count] + sections
    }

    private static let names = [
        ".debug_info", ".debug_abbrev", ".debug_line", ".debug_addr", ".debug_ranges", ".debug_rnglists", ".debug_loc",
        ".debug_loclists", ".debug_str", ".debug_line_str", ".debug_str_offsets", ".symtab", ".strtab", ".dynsym",
        ".dynstr", ".dynamic", ".rela.dyn",
    ]

    /// The number of places: each byte of what is read.
    var placeCount: Int { parts.reduce(0) { $0 + $1.count } }

    private func place(_ number: Int) -> Int {
        var number = number
        for part in parts {
            if number < part.count { return part.lowerBound + number }
            number -= part.count
        }
        return 0
    }

    /// With an extreme number at a place.
    func file(withExtreme extreme: Int, at number: Int) -> [UInt8] {
        ExtremeBytes.changed(bytes, at: place(number), ExtremeBytes.all[extreme % ExtremeBytes.all.count])
    }

    /// With bytes that are changed, copied and cut off.
    func file(seed: UInt64) -> [UInt8] {
        var random = Numbers(seed)
        var changed = bytes
        for _ in 0...random.next(below: 8) {
            // The same number of times in each part: most parts are small.
            let part = parts[random.next(below: parts.count)]
            if part.isEmpty { continue }
            let place = part.lowerBound + random.next(below: part.count)
            switch random.next(below: 6) {
            case 0: changed[place] = UInt8(random.next(below: 256))
            case 1: changed[place] ^= 1 << UInt8(random.next(below: 8))
            case 2: changed[place] = changed[place] &+ (random.next(below: 2) == 0 ? 1 : .max)
            case 3:
                let extreme = ExtremeBytes.all[random.next(below: ExtremeBytes.all.count)]
                changed = ExtremeBytes.changed(changed, at: place, extreme)
            case 4:
                let source = part.lowerBound + random.next(below: part.count)
                let count = min(random.next(below: 64), part.upperBound - max(source, place))
                changed.replaceSubrange(place..<place + count, with: bytes[source..<source + count])
            default:
                for place in place..<min(part.upperBound, place + random.next(below: 32)) { changed[place] = 0 }
            }
        }
        if random.next(below: 16) == 0 { changed.removeLast(random.next(below: changed.count)) }
        return changed
    }
}

/// The same numbers for the same seed.
struct Numbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next(below count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }
}
