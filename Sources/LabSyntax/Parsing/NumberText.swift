import Text

/// The digits of a number, and its unit if it is a time: `1_000`, `0xFF`, `10ms`, `1.5s`.
struct NumberText {
    private let text: String

    init(_ text: String) { self.text = text }

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
        // Hours are allowed only on the command line.
        if unit == "h" { throw .unknownUnit("h") }
        do throws(DurationText.Problem) {
            guard let time = Int(exactly: try DurationText.parse(bare)) else { throw .tooLong }
            return .duration(isNegative ? -time : time)
        } catch {
            switch error {
            case .unit(let unit): throw unit.allSatisfy(\.isLetter) ? .unknownUnit(unit) : .notANumber(text)
            case .notANumber: throw .notANumber(text)
            case .tooLong: throw .durationTooLong(text)
            case .tooFine: throw .durationTooFine(text)
            }
        }
    }

    private func integer(_ digits: Substring, _ radix: Int, _ isNegative: Bool) throws(SyntaxProblem) -> Int {
        let isWellFormed = !digits.isEmpty && digits.allSatisfy { ($0.hexDigitValue ?? 99) < radix && $0.isASCII }
        guard isWellFormed else { throw .notANumber(text) }
        guard let value = Int((isNegative ? "-" : "") + digits, radix: radix) else { throw .integerTooLarge(text) }
        return value
    }
}
