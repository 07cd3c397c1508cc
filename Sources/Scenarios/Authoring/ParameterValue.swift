/// A type that a scenario's parameter can have.
public protocol ParameterValue: Comparable, Sendable {
    static var form: ParameterForm { get }
    /// Nil if the text is no such value.
    init?(argument: String)
    /// As one would type it.
    var argument: String { get }
}

/// What a parameter's value looks like.
public enum ParameterForm: Equatable, Sendable {
    case integer
    /// A number with a unit: `10ms`.
    case duration
    case choice([Choice])

    public struct Choice: Equatable, Sendable {
        public let word: String
        public let summary: String
        /// What is expected of it, if it is a variant: "completes", "may end in deadlock".
        public let expectation: String?
    }
}

/// A parameter that is one of a few words, each with a summary.
public protocol ParameterChoice: ParameterValue, CaseIterable, RawRepresentable where RawValue == String {
    var summary: String { get }
}

extension ParameterChoice {
    public static var form: ParameterForm {
        .choice(
            allCases.map { value in
                ParameterForm.Choice(
                    word: value.rawValue, summary: value.summary,
                    expectation: (value as? any ScenarioVariant)?.expectation.description)
            })
    }

    public init?(argument: String) { self.init(rawValue: argument) }
    public var argument: String { rawValue }
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension Int: ParameterValue {
    public static var form: ParameterForm { .integer }
    public init?(argument: String) { self.init(argument) }
    public var argument: String { String(self) }
}

extension Duration: ParameterValue {
    public static var form: ParameterForm { .duration }

    /// The largest first. `µs` is read, and written as `us`.
    private static let units: [(name: String, nanoseconds: Int)] = [
        ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
        ("µs", 1000), ("ns", 1),
    ]

    /// Reads `10ms`, `1.5s`, `0`, to the nearest nanosecond.
    public init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = argument.dropFirst(digits.count)
        guard let number = Double(digits), number.isFinite else { return nil }
        if unit.isEmpty && number == 0 {
            self = .zero
            return
        }
        guard let known = Self.units.first(where: { $0.name == unit }) else { return nil }
        let nanoseconds = (number * Double(known.nanoseconds)).rounded()
        guard nanoseconds < 9e18 else { return nil }
        self = .nanoseconds(Int(nanoseconds))
    }

    /// In the largest unit that needs no fraction: `10ms`, `1500ms`, `2m`.
    public var argument: String {
        let (seconds, attoseconds) = components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        if nanoseconds == 0 { return "0s" }
        let unit = Self.units.first { nanoseconds.isMultiple(of: $0.nanoseconds) } ?? ("ns", 1)
        return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
    }
}
