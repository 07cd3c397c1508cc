/// Divides the words of a command line by their roles: a positional, an option's name, or an option's value. It does
/// not check them.
///
/// Everything else builds on this division: parsing checks the parts, `run NAME` finds its scenario among them before
/// the scenario's options are known, and completion finds out which role the next word would have.
///
/// - A word after `--` is a positional, and so are `-` and a negative number. Other words with a dash are options.
/// - The word after an option that takes a value is its value, unless it begins with two dashes or is `-h`. A value
///   that begins with two dashes can be given with `=`: `--name=--value`.
/// - A short name stands for the option: `-j 4`, and `-j4` if its value is a number.
/// - An unknown option may be a flag or take a value. The next word is taken as its value, unless it begins with a dash
///   or is certainly a scenario. With the scenario first, or with `=`, there is nothing to guess.
struct Reading {
    enum Part: Equatable {
        case positional(String)
        /// `spelling` as the user wrote it, dashes and all; `name` without dashes.
        case option(name: String, spelling: String, value: String?)
    }

    private(set) var parts: [Part] = []
    /// Whether there was a `--`.
    private(set) var optionsEnded = false
    /// The option that is the last word, if it takes a value, which is then missing.
    private(set) var waiting: Option?

    init(_ words: some Sequence<String>, options: OptionTable, scenarios: KnownScenarios) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if optionsEnded || !Self.isOption(word) {
                parts.append(.positional(word))
            } else if word == "--" {
                optionsEnded = true
            } else if word == "-h" {
                parts.append(.option(name: Option.help.name, spelling: word, value: nil))
            } else if let (option, number) = Self.short(word, options) {
                let next = words.first.flatMap { Self.isValue($0, of: option, scenarios) ? $0 : nil }
                if number == nil && next != nil { words.removeFirst() }
                if option.kind.takesValue, words.isEmpty, (number ?? next) == nil { waiting = option }
                parts.append(.option(name: option.name, spelling: String(word.prefix(2)), value: number ?? next))
            } else if let equals = word.firstIndex(of: "=") {
                let spelling = String(word[..<equals])
                let value = String(word[word.index(after: equals)...])
                parts.append(.option(name: Self.name(spelling), spelling: spelling, value: value))
            } else {
                let option = options[Self.name(word)]
                let value = words.first.flatMap { Self.isValue($0, of: option, scenarios) ? $0 : nil }
                if value != nil { words.removeFirst() }
                if let option, option.kind.takesValue, words.isEmpty, value == nil { waiting = option }
                parts.append(.option(name: Self.name(word), spelling: word, value: value))
            }
        }
    }

    var positionals: [String] {
        parts.compactMap { part in
            if case .positional(let word) = part { word } else { nil }
        }
    }

    /// A word that was taken for an option, but looks like a file whose name begins with a dash: `-x.lab`. Nil: there
    /// is none.
    var dashedPath: String? {
        // Only an unknown word with a single dash has its spelling as its name (`Self.name`).
        for case .option(let name, let spelling, _) in parts where name == spelling && spelling.contains(".") {
            return spelling
        }
        return nil
    }

    /// Whether the option is among the words.
    func names(_ option: Option) -> Bool {
        parts.contains { part in
            if case .option(let name, _, _) = part { name == option.name } else { false }
        }
    }

    /// Whether help, if it is asked for, is asked for only by `-h` and not by `--help`.
    var asksBriefly: Bool {
        !parts.contains { part in
            if case .option(let name, let spelling, _) = part {
                name == Option.help.name && spelling != "-h"
            } else {
                false
            }
        }
    }

    private static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word != "-" else { return false }
        return Int(word) == nil
    }

    /// Whether the word is the value of the option before it. Nil: that option is not known.
    private static func isValue(_ word: String, of option: Option?, _ scenarios: KnownScenarios) -> Bool {
        if let option { return option.kind.takesValue && !word.hasPrefix("--") && word != "-h" }
        return !word.hasPrefix("-") && !scenarios.isScenario(word)
    }

    /// The option with this short name, and the number that is written right after it.
    private static func short(_ word: String, _ options: OptionTable) -> (Option, number: String?)? {
        guard !word.hasPrefix("--"), let letter = word.dropFirst().first, let name = Option.shortNames[letter],
            let option = options[name]
        else { return nil }
        let rest = word.dropFirst(2)
        if rest.isEmpty { return (option, nil) }
        return option.kind.takesValue && rest.allSatisfy { ("0"..."9").contains($0) } ? (option, String(rest)) : nil
    }

    /// The name of an option without its dashes. A word with one dash that is not a short name keeps its dash, so that
    /// no declared option has this name.
    private static func name(_ spelling: String) -> String {
        spelling.hasPrefix("--") ? String(spelling.dropFirst(2)) : spelling
    }
}
