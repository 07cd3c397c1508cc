/// The 64-bit hash function FNV-1a. Unlike Swift's `Hasher`, it gives the same number in every process and version. It
/// divides names among machines and distinguishes versions of a text, but does not protect against forgery.
package enum FNV1a {
    /// The constants of the function's definition, for 64 bits.
    private static let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01B3

    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(offsetBasis) { ($0 ^ UInt64($1)) &* prime }
    }

    /// The hash in 16 hexadecimal digits.
    package static func word(_ bytes: some Sequence<UInt8>) -> String {
        let digits = String(hash(bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
