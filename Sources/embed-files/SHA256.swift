/// The SHA-256 digest of FIPS 180-4. By such digests, the content security policy of a page names the scripts and
/// styles that the page may use, and the cache of proofs names the engine. Digests are computed when the package is
/// built: the product does not contain this code.
struct SHA256 {
    /// In bytes.
    private static let blockSize = 64
    /// The size of a message's length at the end of its last block, in bytes.
    private static let lengthSize = 8

    /// In the beginning, the first 32 bits of the fractional parts of the square roots of the first 8 primes.
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes: one for each round of `mix`.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        // A one bit, zeros up to the place of the length in the last block, and the length in bits.
        var padded = bytes + [0x80]
        let usedSize = (padded.count + lengthSize) % blockSize
        padded += Array(repeating: 0, count: (blockSize - usedSize) % blockSize)
        let length = bytes.count * 8
        for shift in stride(from: 56, through: 0, by: -8) { padded.append(UInt8(truncatingIfNeeded: length >> shift)) }
        for start in stride(from: 0, to: padded.count, by: blockSize) {
            hash.consume(padded[start..<start + blockSize])
        }
        var digest: [UInt8] = []
        for word in hash.state {
            for shift in stride(from: 24, through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return digest
    }

    /// Adds a block to the state: extends its 16 words to 64, and mixes these with the state. Written to be fast in a
    /// build without optimization, too: no arrays are made, and the block is read once.
    private mutating func consume(_ block: ArraySlice<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            block.withUnsafeBufferPointer { bytes in
                for index in 0..<16 {
                    var word: UInt32 = 0
                    for place in 4 * index..<4 * index + 4 { word = word << 8 | UInt32(bytes[place]) }
                    words[index] = word
                }
            }
            for index in 16..<64 {
                let (a, b) = (words[index - 15], words[index - 2])
                let small: UInt32 = Self.rotate(a, 7) ^ Self.rotate(a, 18) ^ (a >> 3)
                let great: UInt32 = Self.rotate(b, 17) ^ Self.rotate(b, 19) ^ (b >> 10)
                words[index] = words[index - 16] &+ words[index - 7] &+ small &+ great
            }
            mix(UnsafeBufferPointer(words))
        }
    }

    /// The 64 rounds of the standard. `a` to `h` are its names; `great` and `small` are its Σ1 and Σ0.
    private mutating func mix(_ words: UnsafeBufferPointer<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        Self.constants.withUnsafeBufferPointer { constants in
            for index in 0..<64 {
                let great: UInt32 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
                let choice: UInt32 = (e & f) ^ (~e & g)
                let first: UInt32 = h &+ great &+ choice &+ constants[index] &+ words[index]
                let small: UInt32 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
                let majority: UInt32 = (a & b) ^ (a & c) ^ (b & c)
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ small &+ majority)
            }
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}

extension [UInt8] {
    /// In base 64, with padding.
    var base64: String {
        let digits: [Character] = .init("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: count, by: 3) {
            var bits = 0
            for place in start..<start + 3 { bits = bits << 8 | (place < count ? Int(self[place]) : 0) }
            for place in 0..<4 {
                text.append(start + place <= count ? digits[(bits >> (18 - 6 * place)) & 63] : "=")
            }
        }
        return text
    }
}
