import Text

/// A type that a scenario's parameter can have.
public protocol ParameterValue: Comparable, Sendable {
    static var form: ParameterForm { get }
    /// Nil if the text is not such a value.
    init?(argument: String)
    /// The value as typed on a command line.
    var argument: String { get }
}

/// The form of a parameter's value.
public enum ParameterForm: Equatable, Sendable {
    case integer
    /// A number with a unit: `10ms`.
    case duration
    case choice([Choice])

    public struct Choice: Equatable, Sendable {
        public let word: String
        public let summary: String
        /// The expectation, if the choice is a variant: "completes", "may end in deadlock".
        public let expectation: String?
        /// Whether the choice is a variant without the fault: every run completes, at least in the usual case, and no
        /// warning is promised.
        package let isFixed: Bool
        /// A section that the choice follows, if it is a variant with its own.
        public let guide: Guide?

        package init(word: String, summary: String, expectation: Expectation?, guide: Guide? = nil) {
            self.guide = guide
            self.word = word
            self.summary = summary
            self.expectation = expectation?.description
            isFixed = expectation?.isFixed ?? true
        }
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
                let variant = value as? any ScenarioVariant
                return ParameterForm.Choice(
                    word: value.rawValue, summary: value.summary, expectation: variant?.expectation,
                    guide: variant?.guide)
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

    /// Reads `10ms`, `1.5s`, `0`.
    public init?(argument: String) {
        guard let nanoseconds = DurationText.read(argument).flatMap({ Int64(exactly: $0) }) else { return nil }
        self = .nanoseconds(nanoseconds)
    }

    /// In the largest unit that needs no fraction: `10ms`, `1500ms`, `2m`.
    public var argument: String {
        let (seconds, attoseconds) = components
        return DurationText.write(UInt64(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
    }
}
