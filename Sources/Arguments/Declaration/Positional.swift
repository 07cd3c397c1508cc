/// A word that a command identifies by its position: `NAME` in `threadlab run NAME`.
package struct Positional: Hashable, Sendable {
    package enum Occurrence: Hashable, Sendable {
        case required
        case optional
        case oneOrMore
        case anyNumber
    }

    /// The name in capitals, as help shows it.
    package let name: String
    package let kind: ValueKind
    package let occurrence: Occurrence
    /// One line, without a full stop.
    package let help: String

    package init(_ name: String, _ kind: ValueKind, _ help: String, _ occurrence: Occurrence = .required) {
        precondition(kind.takesValue, "\(name): a positional has a value")
        self.name = name
        self.kind = kind
        self.occurrence = occurrence
        self.help = help
    }

    package var isRequired: Bool { occurrence == .required || occurrence == .oneOrMore }
    package var repeats: Bool { occurrence == .oneOrMore || occurrence == .anyNumber }

    /// The word in the usage line: `NAME`, `[NAME]`, `NAME...`, `[NAME...]`.
    package var usage: String {
        let name = repeats ? name + "..." : name
        return isRequired ? name : "[\(name)]"
    }
}
