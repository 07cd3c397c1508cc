/// Lengths of time as people write them: `10s`, `250ms`, `1.5s`. Always whole nanoseconds.
package enum DurationText {
    /// The largest first. `µs` is read, and written as `us`.
    private static let units: [(name: String, nanoseconds: UInt64)] = [
        ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
        ("µs", 1000), ("ns", 1),
    ]

    /// Nothing if the word has no unit (but no time at all is `0`), is too long a time, or asks for a fraction of a nanosecond.
    package static func read(_ word: String) -> UInt64? {
        if word == "0" { return 0 }
        let amount = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = word.dropFirst(amount.count)
        guard let scale = units.first(where: { $0.name == unit })?.nanoseconds else { return nil }

        let parts = amount.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = UInt64(parts[0]) else { return nil }
        var (total, overflow) = whole.multipliedReportingOverflow(by: scale)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return total }
        guard !parts[1].isEmpty else { return nil }

        // Digit by digit rather than through a Double, so that 0.1s is exactly 100ms.
        var place = scale
        for character in parts[1] {
            guard let digit = character.wholeNumberValue, place.isMultiple(of: 10) || digit == 0 else { return nil }
            place /= 10
            (total, overflow) = total.addingReportingOverflow(UInt64(digit) * place)
            guard !overflow else { return nil }
        }
        return total
    }

    /// In the largest unit that needs no fraction: `90s`, `1500ms`, `2m`.
    package static func write(_ nanoseconds: UInt64) -> String {
        if nanoseconds == 0 { return "0s" }
        let unit = units.first { nanoseconds.isMultiple(of: $0.nanoseconds) } ?? ("ns", 1)
        return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
    }
}
