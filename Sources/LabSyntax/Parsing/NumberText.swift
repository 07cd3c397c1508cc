/// The digits of a number, and its unit if it is a time: `1_000`, `0xFF`, `10ms`, `1.5s`.
struct NumberText {
    private let text: String

    init(_ text: String) { self.text = text }

    private static let units: [(name: String, nanoseconds: Int)] = [
        ("ns", 1), ("us", 1000), ("µs", 1000), ("μs", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
        ("m", 60_000_000_000),
    ]

    func value(isNegative: Bool) throws(SyntaxProblem) -> Syntax.Expression.Kind {
        let bare = text.filter { $0 != "_" }
        for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where bare.hasPrefix(prefix) {
            return .integer(try integer(bare.dropFirst(2), radix, isNegative))
        }
        let digits = bare.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = bare.dropFirst(digits.count)
        if unit.isEmpty {
            if digits.contains(".") { throw .fraction(text) }
            return .integer(try integer(digits, 10, isNegative))
        }
        guard let known = Self.units.first(where: { $0.name == unit }) else {
            throw unit.allSatisfy(\.isLetter) ? .unknownUnit(String(unit)) : .notANumber(text)
        }
        let time = try duration(digits, known.nanoseconds)
        return .duration(isNegative ? -time : time)
    }

    private func integer(_ digits: Substring, _ radix: Int, _ isNegative: Bool) throws(SyntaxProblem) -> Int {
        let isWellFormed = !digits.isEmpty && digits.allSatisfy { ($0.hexDigitValue ?? 99) < radix && $0.isASCII }
        guard isWellFormed else { throw .notANumber(text) }
        guard let value = Int((isNegative ? "-" : "") + digits, radix: radix) else { throw .integerTooLarge(text) }
        return value
    }

    private func duration(_ digits: Substring, _ unit: Int) throws(SyntaxProblem) -> Int {
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = Int(parts[0]), case (var total, false) = whole.multipliedReportingOverflow(by: unit) else {
            throw .durationTooLong(text)
        }
        if parts.count > 1 {
            // Digits beyond the nanosecond are dropped.
            var place = unit
            for digit in parts[1] {
                place /= 10
                let (sum, isOver) = total.addingReportingOverflow((digit.wholeNumberValue ?? 0) * place)
                if isOver { throw .durationTooLong(text) }
                total = sum
            }
        }
        return total
    }
}
