/// Durations as users write them in options and programs: `10s`, `250ms`, `1.5s`. A duration is a whole number of
/// nanoseconds.
package enum DurationText {
    /// The units, the largest first. `µs` is accepted with either of the two characters that look like µ; `write` uses
    /// `us`.
    private static let units: [(name: String, nanoseconds: UInt64)] = [
        ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
        ("µs", 1000), ("μs", 1000), ("ns", 1),
    ]

    /// Why a text is not a duration.
    package enum Problem: Error, Equatable {
        case notANumber
        /// The number has no unit, or one that does not exist.
        case unit(String)
        case tooLong
        /// The duration is not a whole number of nanoseconds.
        case tooFine
    }

    /// Returns the nanoseconds of a number with a unit, or of `0` without one; nil if the word is not a duration.
    package static func read(_ word: String) -> UInt64? { word == "0" ? 0 : try? parse(word) }

    /// Returns the nanoseconds of a number with a unit. If the word is not a duration, the error says why.
    package static func parse(_ word: String) throws(Problem) -> UInt64 {
        let amount = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = word.dropFirst(amount.count)
        guard let scale = units.first(where: { $0.name == unit })?.nanoseconds else { throw .unit(String(unit)) }

        let parts = amount.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else { throw .notANumber }
        guard let whole = UInt64(parts[0]) else { throw .tooLong }
        var (total, overflow) = whole.multipliedReportingOverflow(by: scale)
        guard !overflow else { throw .tooLong }
        guard parts.count == 2 else { return total }

        // Digit by digit rather than through a Double, so that 0.1s is exactly 100ms.
        var place = scale
        for character in parts[1] {
            let digit = UInt64(character.wholeNumberValue ?? 0)
            guard place.isMultiple(of: 10) || digit == 0 else { throw .tooFine }
            place /= 10
            (total, overflow) = total.addingReportingOverflow(digit * place)
            guard !overflow else { throw .tooLong }
        }
        return total
    }

    /// Returns the duration in the largest unit that needs no fraction: `90s`, `1500ms`, `2m`.
    package static func write(_ nanoseconds: UInt64) -> String {
        if nanoseconds == 0 { return "0s" }
        let unit = units.first { nanoseconds.isMultiple(of: $0.nanoseconds) } ?? ("ns", 1)
        return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
    }
}

/// Durations as reports show them: with up to three decimal places, and a space before the unit.
package enum ReadableDuration {
    private static let units: [(size: Int64, name: String)] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")]

    /// Returns for example `1.5 s`, `20 ms`, `6.399 ms` or `350 ns`. Digits after the third decimal place are cut off.
    package static func text(nanoseconds: Int64) -> String {
        if nanoseconds == 0 { return "0 s" }
        guard let unit = units.first(where: { nanoseconds >= $0.size }) else { return "\(nanoseconds) ns" }
        let whole = nanoseconds / unit.size
        let thousandths = (nanoseconds % unit.size) / (unit.size / 1_000)
        guard thousandths > 0 else { return "\(whole) \(unit.name)" }
        // The digit 1 in front, which is dropped again, keeps leading zeros: `1006` for `006`.
        var digits = String(thousandths + 1_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) \(unit.name)"
    }
}

/// An amount of memory as reports show it: `512 B`, `4.0 KB`, `1.5 MB`. 1 KB is 1,024 bytes.
package enum ReadableBytes {
    package static func text(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1024: "\(bytes) B"
        case ..<1_048_576: "\(decimal(bytes, 1024)) KB"
        case ..<1_073_741_824: "\(decimal(bytes, 1_048_576)) MB"
        default: "\(decimal(bytes, 1_073_741_824)) GB"
        }
    }

    /// The amount in a unit, with one decimal place, rounded down.
    private static func decimal(_ bytes: Int64, _ unit: Int64) -> String {
        "\(bytes / unit).\(bytes % unit * 10 / unit)"
    }
}
