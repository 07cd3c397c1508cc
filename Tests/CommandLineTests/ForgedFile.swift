/// A sealed file whose words a forger changes, and whose checksum is right.
struct ForgedFile {
    /// Without the checksum.
    private let content: [UInt8]
    private let start: Int
    let wordCount: Int

    init(_ bytes: [UInt8]) {
        content = Array(bytes.dropLast(8))
        start = (bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
        wordCount = (content.count - start) / 8
    }

    /// With another word at a place.
    func with(_ word: Int, at place: Int) -> [UInt8] {
        var forged = content
        for byte in 0..<8 { forged[start + place * 8 + byte] = UInt8(truncatingIfNeeded: word >> (byte * 8)) }
        return Self.sealed(forged)
    }

    /// With a text in the place of another one that is as long, where that is first. Nil: it is not there.
    func with(_ text: String, insteadOf other: String) -> [UInt8]? {
        guard text.utf8.count == other.utf8.count, let place = content.firstRange(of: Array(other.utf8)) else {
            return nil
        }
        var forged = content
        forged.replaceSubrange(place, with: text.utf8)
        return Self.sealed(forged)
    }

    /// FNV-1a: a forger can compute it.
    private static func sealed(_ content: [UInt8]) -> [UInt8] {
        let hash = content.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return content + (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }
}
