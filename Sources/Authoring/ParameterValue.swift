import Text

/// A type that a scenario's parameter can have: `Int`, `Double`, `Duration`, `String`, `Bool`, and enumerations that
/// conform to `ParameterChoice`.
public protocol ParameterValue: Equatable, Sendable {
    static var form: ParameterForm { get }
    /// Reads a value as typed on a command line. Nil if the text is not such a value.
    init?(argument: String)
    /// The value as typed on a command line.
    var argument: String { get }
}

/// The form of a parameter's value.
public enum ParameterForm: Equatable, Sendable {
    case integer
    /// A number that may have a fraction.
    case number
    /// Any text.
    case text
    /// An option without a value: true if it is given.
    case flag
    /// A number with a unit: `10ms`.
    case duration
    case choice([Choice])

    public struct Choice: Equatable, Sendable {
        public let word: String
        public let summary: String
        /// The expectation, if the choice is a variant: "completes", "may end in deadlock".
        public let expectation: String?
        /// What the choice is for, if it is a variant.
        package let role: VariantRole?
        /// Whether it is a variant whose failure real threads rarely show.
        package let isRareOnRealThreads: Bool
        /// The section of a book that the variant follows, if it differs from the scenario's.
        public let guide: Guide?

        package init(word: String, summary: String, variant: (any ScenarioVariant)?) {
            self.word = word
            self.summary = summary
            expectation = variant?.expectation.description
            role = variant.map { VariantRole($0) }
            isRareOnRealThreads = variant?.isRareOnRealThreads ?? false
            guide = variant?.guide
        }
    }
}

/// The purpose of a variant of a scenario.
package enum VariantRole: CaseIterable, Sendable {
    /// It shows a fault: some run fails, or shows a warning.
    case broken
    /// It does not have the fault: every run completes.
    case fixed
    /// It measures something, or is a remedy whose runs may fail, but need not.
    case other

    init(_ variant: some ScenarioVariant) {
        let expectation = variant.expectation
        if !expectation.findings.isEmpty || !expectation.warnings.isEmpty {
            self = .broken
        } else {
            self = expectation.allowed == [.completed] && !variant.measures ? .fixed : .other
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
                ParameterForm.Choice(
                    word: value.rawValue, summary: value.summary, variant: value as? any ScenarioVariant)
            })
    }

    public init?(argument: String) { self.init(rawValue: argument) }
    public var argument: String { rawValue }
}

extension Int: ParameterValue {
    public static var form: ParameterForm { .integer }
    public init?(argument: String) { self.init(argument) }
    public var argument: String { String(self) }
}

extension Double: ParameterValue {
    public static var form: ParameterForm { .number }

    /// Reads `1`, `0.5`, `-2e3`; not `nan` or `inf`.
    public init?(argument: String) {
        guard let number = Double(argument), number.isFinite else { return nil }
        self = number
    }

    public var argument: String { description }
}

extension String: ParameterValue {
    public static var form: ParameterForm { .text }
    public init?(argument: String) { self = argument }
    public var argument: String { self }
}

/// A Boolean parameter is a flag on the command line, so its default must be false.
extension Bool: ParameterValue {
    public static var form: ParameterForm { .flag }
    public init?(argument: String) { self.init(argument) }
    public var argument: String { description }
}

extension Duration: ParameterValue {
    public static var form: ParameterForm { .duration }

    /// Reads `10ms`, `1.5s`, `0`.
    public init?(argument: String) {
        guard let nanoseconds = DurationText.read(argument).flatMap({ Int64(exactly: $0) }) else { return nil }
        self = .nanoseconds(nanoseconds)
    }

    /// The duration in the largest unit that needs no fraction: `10ms`, `1500ms`, `2m`.
    public var argument: String {
        let (seconds, attoseconds) = components
        return DurationText.write(UInt64(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
    }
}
