/// A word that a command identifies by its position: `NAME` in `threadlab run NAME`.
package struct Positional: Hashable, Sendable {
    package enum Occurrence: Hashable, Sendable {
        case required
        case optional
        case oneOrMore
        case anyNumber
    }

    /// In capitals, as help shows it.
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

    /// As the usage line shows it: `NAME`, `[NAME]`, `NAME...`, `[NAME...]`.
    package var usage: String {
        let name = repeats ? name + "..." : name
        return isRequired ? name : "[\(name)]"
    }
}

/// A positional of a command, with the type of its value.
package struct TypedPositional<Output>: Declaration {
    package let positional: Positional
    private let convert: @Sendable ([String]) -> Output

    private init(positional: Positional, read: @escaping @Sendable ([String]) -> Output) {
        self.positional = positional
        convert = read
    }

    package var declared: Declarations { Declarations(positional) }

    func read(_ arguments: ParsedArguments) -> Output { convert(arguments.texts(positional.name)) }
}

extension TypedPositional where Output == String {
    package static func one(_ name: String, _ kind: ValueKind, _ help: String) -> Self {
        TypedPositional(positional: Positional(name, kind, help, .required)) { words in
            // The parser has rejected a line without it.
            guard let word = words.first else { preconditionFailure("\(name) is missing") }
            return word
        }
    }
}

extension TypedPositional where Output: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of several words, each the raw value of a case.
    package static func choice(_ type: Output.Type, _ name: String, _ help: String) -> Self {
        let kind = ValueKind.choice(Output.allCases.map { KnownWord($0.rawValue) })
        return TypedPositional(positional: Positional(name, kind, help, .required)) { words in
            // The parser has rejected a line without it, and any other word.
            guard let choice = words.first.flatMap({ Output(rawValue: $0) }) else {
                preconditionFailure("\(name) is missing")
            }
            return choice
        }
    }
}

extension TypedPositional where Output == String? {
    package static func oneOrNone(_ name: String, _ kind: ValueKind, _ help: String) -> Self {
        TypedPositional(positional: Positional(name, kind, help, .optional), read: \.first)
    }
}

extension TypedPositional where Output == [String] {
    package static func oneOrMore(_ name: String, _ kind: ValueKind, _ help: String) -> Self {
        TypedPositional(positional: Positional(name, kind, help, .oneOrMore)) { $0 }
    }

    package static func any(_ name: String, _ kind: ValueKind, _ help: String) -> Self {
        TypedPositional(positional: Positional(name, kind, help, .anyNumber)) { $0 }
    }
}
