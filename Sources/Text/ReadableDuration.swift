/// Durations for people to read.
package enum ReadableDuration {
    private static let units: [(size: Int64, name: String)] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")]

    /// For example `1.5 s`, `20 ms`, `6.399 ms` or `350 ns`.
    package static func text(nanoseconds: Int64) -> String {
        if nanoseconds == 0 { return "0 s" }
        guard let unit = units.first(where: { nanoseconds >= $0.size }) else { return "\(nanoseconds) ns" }
        let whole = nanoseconds / unit.size
        let thousandths = (nanoseconds % unit.size) / (unit.size / 1_000)
        guard thousandths > 0 else { return "\(whole) \(unit.name)" }
        var digits = String(thousandths + 1_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) \(unit.name)"
    }
}
