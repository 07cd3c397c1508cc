/// An option of a command, with the type of its value: with `let seed = TypedOption.seed(…)` in its options,
/// `arguments.seed` is a `UInt64?`.
///
/// The value of an option that is not given on the command line follows from its declaration: its default, or nil if it
/// has none. Callers therefore never unwrap a value that is always present.
package struct TypedOption<Output>: OptionDeclaration {
    package let option: Option
    let read: @Sendable (ParsedArguments) -> Output
}

extension TypedOption where Output == Bool {
    package static func flag(_ name: String, _ help: String) -> Self {
        TypedOption(option: .flag(name, help)) { $0.isGiven(name) }
    }
}

extension TypedOption where Output == Int {
    package static func integer(
        _ name: String, in range: ClosedRange<Int> = Int.min...Int.max, default value: Int, placeholder: String = "N",
        _ help: String
    ) -> Self {
        let option = Option.integer(name, in: range, default: value, placeholder: placeholder, help)
        return TypedOption(option: option) { $0.integer(name) ?? value }
    }
}

extension TypedOption where Output == Int? {
    package static func integer(
        _ name: String, in range: ClosedRange<Int> = Int.min...Int.max, placeholder: String = "N", _ help: String
    ) -> Self {
        TypedOption(option: .integer(name, in: range, placeholder: placeholder, help)) { $0.integer(name) }
    }
}

extension TypedOption where Output == UInt64 {
    package static func seed(_ name: String, default value: UInt64, placeholder: String = "N", _ help: String) -> Self {
        TypedOption(option: .seed(name, default: value, placeholder: placeholder, help)) { $0.seed(name) ?? value }
    }

    /// Its value is in nanoseconds. The range is in nanoseconds too; the default is written as a user would, for
    /// example `10s`.
    package static func duration(
        _ name: String, in range: ClosedRange<UInt64> = 0...UInt64.max, default word: String,
        placeholder: String = "TIME", _ help: String
    ) -> Self {
        let option = Option.duration(name, in: range, default: word, placeholder: placeholder, help)
        guard case .duration(let value)? = option.defaultValue else { preconditionFailure("--\(name): not a duration") }
        return TypedOption(option: option) { $0.duration(name) ?? value }
    }
}

extension TypedOption where Output == UInt64? {
    package static func seed(_ name: String, placeholder: String = "N", _ help: String) -> Self {
        TypedOption(option: .seed(name, placeholder: placeholder, help)) { $0.seed(name) }
    }
}

extension TypedOption where Output == String? {
    package static func text(
        _ name: String, placeholder: String = "TEXT", of vocabulary: Vocabulary? = nil, _ help: String
    ) -> Self {
        TypedOption(option: .text(name, placeholder: placeholder, of: vocabulary, help)) { $0.text(name) }
    }

    package static func file(_ name: String, placeholder: String = "FILE", _ help: String) -> Self {
        TypedOption(option: .file(name, placeholder: placeholder, help)) { $0.text(name) }
    }
}

extension TypedOption where Output == [String] {
    /// Can be given several times; gives the values in their order.
    package static func texts(
        _ name: String, placeholder: String = "TEXT", of vocabulary: Vocabulary? = nil, _ help: String
    ) -> Self {
        let kind = vocabulary.map { ValueKind.word($0) } ?? .text
        let option = Option(name, kind, default: nil, placeholder: placeholder, help: help, repeats: true)
        return TypedOption(option: option) { $0.texts(name) }
    }
}

extension TypedOption where Output: RawRepresentable<String> & Sendable {
    /// One of several words, each the raw value of a case.
    package static func choice(
        _ name: String, _ words: [(value: Output, help: String)], default value: Output, placeholder: String = "WORD",
        _ help: String
    ) -> Self {
        let words = words.map { KnownWord($0.value.rawValue, $0.help) }
        let option = Option.choice(name, words, default: value.rawValue, placeholder: placeholder, help)
        return TypedOption(option: option) { $0.text(name).flatMap { Output(rawValue: $0) } ?? value }
    }

    package static func choice(
        _ name: String, default value: Output, placeholder: String = "WORD", _ help: String
    ) -> Self where Output: CaseIterable {
        choice(name, Output.allCases.map { ($0, "") }, default: value, placeholder: placeholder, help)
    }
}

extension TypedOption {
    /// One of some words, each the raw value of a case, or another word, the default, that selects none of them.
    package static func choice<Choice: RawRepresentable<String> & Sendable>(
        _ name: String, _ none: KnownWord, or words: [(value: Choice, help: String)], placeholder: String = "WORD",
        _ help: String
    ) -> Self where Output == Choice? {
        let words = [none] + words.map { KnownWord($0.value.rawValue, $0.help) }
        let option = Option.choice(name, words, default: none.text, placeholder: placeholder, help)
        return TypedOption(option: option) { $0.text(name).flatMap { Choice(rawValue: $0) } }
    }
}
