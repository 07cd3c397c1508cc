/// Collects the options and positionals that a command declares. Each is declared by a method that returns a `Listed`,
/// the only means to read its value later: so only declared options can be read.
package struct OptionList {
    private(set) var positionals: [Positional] = []
    private(set) var options: [Option] = []
    /// Groups of names of options. At most one option of each group may be given.
    private(set) var exclusive: [[String]] = []
    private var heading = ""

    /// Sets the heading, in help, of the options declared after this call.
    package mutating func head(_ title: String) { heading = title }

    /// Declares a group of options that several commands have. A heading that the group sets does not apply to the
    /// options after the group.
    package mutating func group<Content: OptionGroup>() -> ListedGroup<Content> {
        let start = options.count
        let before = heading
        let content = Content(&self)
        heading = before
        return ListedGroup(content: content, options: Array(options[start...]))
    }

    /// Declares that at most one option of each of these groups may be given.
    package mutating func exclude(_ groups: [[any OptionName]]) { exclusive += groups.map { $0.map(\.name) } }

    private mutating func add<Output>(
        _ option: Option, read: @escaping @Sendable (ParsedArguments) -> Output
    ) -> Listed<Output> {
        options.append(option)
        options[options.count - 1].heading = heading
        return Listed(name: option.name, spelling: option.spelling, read: read)
    }

    private mutating func add<Output>(
        _ positional: Positional, read: @escaping @Sendable ([String]) -> Output
    ) -> Listed<Output> {
        let name = positional.name
        positionals.append(positional)
        return Listed(name: name, spelling: name) { read($0.texts(name)) }
    }
}

/// Options. An `Output` that is not optional is the default, false or empty if the option is not given. An optional one
/// is nil then, or if the word that stands for nil is given (the last form of `choice`).
extension OptionList {
    package mutating func flag(_ name: String, _ help: String) -> Listed<Bool> {
        add(.flag(name, help)) { $0.isGiven(name) }
    }

    package mutating func integer(
        _ name: String, in range: ClosedRange<Int> = Int.min...Int.max, default value: Int, placeholder: String = "N",
        _ help: String
    ) -> Listed<Int> {
        let option = Option.integer(name, in: range, default: value, placeholder: placeholder, help)
        return add(option) { $0.integer(name) ?? value }
    }

    package mutating func integer(
        _ name: String, in range: ClosedRange<Int> = Int.min...Int.max, placeholder: String = "N", _ help: String
    ) -> Listed<Int?> {
        add(.integer(name, in: range, placeholder: placeholder, help)) { $0.integer(name) }
    }

    package mutating func seed(
        _ name: String, default value: UInt64, placeholder: String = "N", _ help: String
    ) -> Listed<UInt64> {
        add(.seed(name, default: value, placeholder: placeholder, help)) { $0.seed(name) ?? value }
    }

    package mutating func seed(_ name: String, placeholder: String = "N", _ help: String) -> Listed<UInt64?> {
        add(.seed(name, placeholder: placeholder, help)) { $0.seed(name) }
    }

    /// Declares an option whose value and range are in nanoseconds. The default is written as a user would write it,
    /// for example `10s`.
    package mutating func duration(
        _ name: String, in range: ClosedRange<UInt64> = 0...UInt64.max, default word: String,
        placeholder: String = "TIME", _ help: String
    ) -> Listed<UInt64> {
        let option = Option.duration(name, in: range, default: word, placeholder: placeholder, help)
        guard case .duration(let value)? = option.defaultValue else { preconditionFailure("--\(name): not a duration") }
        return add(option) { $0.duration(name) ?? value }
    }

    package mutating func duration(
        _ name: String, in range: ClosedRange<UInt64> = 0...UInt64.max, placeholder: String = "TIME", _ help: String
    ) -> Listed<UInt64?> {
        add(.duration(name, in: range, placeholder: placeholder, help)) { $0.duration(name) }
    }

    package mutating func text(
        _ name: String, placeholder: String = "TEXT", of vocabulary: Vocabulary? = nil, _ help: String
    ) -> Listed<String?> {
        add(.text(name, placeholder: placeholder, of: vocabulary, help)) { $0.text(name) }
    }

    /// Declares an option that can be given several times. Its value is all of them, in their order.
    package mutating func texts(
        _ name: String, placeholder: String = "TEXT", of vocabulary: Vocabulary? = nil, _ help: String
    ) -> Listed<[String]> {
        let kind = vocabulary.map { ValueKind.word($0) } ?? .text
        let option = Option(name, kind, default: nil, placeholder: placeholder, help: help, repeats: true)
        return add(option) { $0.texts(name) }
    }

    package mutating func file(_ name: String, placeholder: String = "FILE", _ help: String) -> Listed<String?> {
        add(.file(name, placeholder: placeholder, help)) { $0.text(name) }
    }

    /// Declares an option whose value is one of several words, each the raw value of a case.
    package mutating func choice<Choice: RawRepresentable<String> & Sendable>(
        _ name: String, _ words: [(value: Choice, help: String)], default value: Choice, placeholder: String = "WORD",
        _ help: String
    ) -> Listed<Choice> {
        let words = words.map { KnownWord($0.value.rawValue, $0.help) }
        let option = Option.choice(name, words, default: value.rawValue, placeholder: placeholder, help)
        return add(option) { $0.text(name).flatMap { Choice(rawValue: $0) } ?? value }
    }

    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, default value: Choice, placeholder: String = "WORD", _ help: String
    ) -> Listed<Choice> {
        choice(name, Choice.allCases.map { ($0, "") }, default: value, placeholder: placeholder, help)
    }

    /// Declares an option whose value is one of several words, each the raw value of a case, or another word, the
    /// default, which stands for nil.
    package mutating func choice<Choice: RawRepresentable<String> & Sendable>(
        _ name: String, _ none: KnownWord, or words: [(value: Choice, help: String)], placeholder: String = "WORD",
        _ help: String
    ) -> Listed<Choice?> {
        let words = [none] + words.map { KnownWord($0.value.rawValue, $0.help) }
        let option = Option.choice(name, words, default: none.text, placeholder: placeholder, help)
        return add(option) { $0.text(name).flatMap { Choice(rawValue: $0) } }
    }
}

/// Positionals: words that a command identifies by their position.
extension OptionList {
    package mutating func one(_ name: String, _ kind: ValueKind, _ help: String) -> Listed<String> {
        add(Positional(name, kind, help, .required)) { words in
            // The parser has rejected a line without it.
            guard let word = words.first else { preconditionFailure("\(name) is missing") }
            return word
        }
    }

    package mutating func oneOrNone(_ name: String, _ kind: ValueKind, _ help: String) -> Listed<String?> {
        add(Positional(name, kind, help, .optional)) { $0.first }
    }

    package mutating func oneOrMore(_ name: String, _ kind: ValueKind, _ help: String) -> Listed<[String]> {
        add(Positional(name, kind, help, .oneOrMore)) { $0 }
    }

    package mutating func any(_ name: String, _ kind: ValueKind, _ help: String) -> Listed<[String]> {
        add(Positional(name, kind, help, .anyNumber)) { $0 }
    }

    /// Declares a positional that is one of several words, each the raw value of a case.
    package mutating func one<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        of type: Choice.Type, _ name: String, _ help: String
    ) -> Listed<Choice> {
        let kind = ValueKind.choice(Choice.allCases.map { KnownWord($0.rawValue) })
        return add(Positional(name, kind, help, .required)) { words in
            // The parser has rejected a line without it, and any other word.
            guard let choice = words.first.flatMap({ Choice(rawValue: $0) }) else {
                preconditionFailure("\(name) is missing")
            }
            return choice
        }
    }
}
