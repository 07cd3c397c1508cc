/// The 64-bit hash function FNV-1a. Unlike Swift's `Hasher`, it gives the same number in every process and version. It
/// divides names among machines and distinguishes versions of a text, but is no protection against forgery.
package enum FNV1a {
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The hash in 16 hexadecimal digits.
    package static func word(_ bytes: some Sequence<UInt8>) -> String {
        let digits = String(hash(bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
