/// Numbers at the ends of what types and formats hold, and just beyond.
package enum ExtremeNumbers {
    package static let words: [Int] = [
        0, 1, -1, 127, 128, 255, 256, 1 << 16 - 1, 1 << 16, 1 << 31 - 1, 1 << 31, -1 << 31, 1 << 32 - 1, 1 << 32,
        1 << 48, 1 << 48 + 1, 1 << 60, 1 << 60 + 1, 1 << 62, -1 << 62, .max, .min,
    ]

    /// The same as a text has them, and some that no word holds.
    package static let decimals =
        words.map(String.init) + [
            "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
            String(repeating: "9", count: 400), "-0", "1e3", "1.5",
        ]
}
