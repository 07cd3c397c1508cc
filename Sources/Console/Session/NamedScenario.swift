import Authoring
import Glibc
import Text

/// A scenario in Swift that a word on the command line names, perhaps with one of its variants: `deadlock/ring`.
package struct NamedScenario {
    package let type: any Scenario.Type
    package let variant: String?

    /// The name of the parameter whose values are the variants.
    package static let parameter = "variant"

    /// Nil: there is no such scenario. The variant is not checked here: see `exists`.
    package init?(_ word: String, among scenarios: [any Scenario.Type]) {
        let slash = word.firstIndex(of: "/")
        guard let type = scenarios.first(where: { $0.name == word[..<(slash ?? word.endIndex)] }) else { return nil }
        self.type = type
        variant = slash.map { String(word[word.index(after: $0)...]) }
    }

    /// Whether the scenario has the variant that the word names, if it names one.
    var exists: Bool { variant.map { word in type.variants.contains { $0.word == word } } ?? true }

    /// The name of a variant, as `check` prints it: `deadlock/ring`.
    package static func name(_ type: any Scenario.Type, _ variant: String) -> String { "\(type.name)/\(variant)" }

    /// Throws if the scenario does not have the variant.
    package static func require(_ variant: String, of type: any Scenario.Type) throws(Complaint) {
        let words = type.variants.map(\.word)
        guard !words.contains(variant) else { return }
        let hint = closest(to: variant, among: words).map { "did you mean '\($0)'?" }
        throw Complaint(
            "\(type.name) has no variant '\(variant.printable)': \(hint ?? "it has " + words.joined(separator: ", "))")
    }
}

extension Session {
    /// Whether the word names a scenario of this program, with or without a variant.
    package func namesScenario(_ word: String) -> Bool { NamedScenario(word, among: scenarios) != nil }

    /// Whether the word names something that can be run: a scenario, a `.lab` program, standard input, or a compiled
    /// program.
    package func namesProgram(_ word: String) -> Bool {
        namesScenario(word) || files.names(word) || compiled.names(word)
    }

    /// The scenario that the word names. Throws if there is none, or if it does not have the variant that the word
    /// names.
    package func scenario(named word: String) throws(Complaint) -> NamedScenario {
        guard let named = NamedScenario(word, among: scenarios) else {
            throw Complaint(misnamedFile(word) ?? known.unknown(word).message)
        }
        if let variant = named.variant { try NamedScenario.require(variant, of: named.type) }
        return named
    }

    /// What is wrong with a word that looks like a path, or leads to a file, but not to a program. Nil: it is another
    /// word.
    private func misnamedFile(_ word: String) -> String? {
        guard access(word, F_OK) == 0 else {
            // If only the suffix is missing, `MeantWords` suggests the file.
            let isPath =
                ["/", "./", "../"].contains { word.hasPrefix($0) } && access(word + LabFiles.suffix, F_OK) != 0
            return isPath ? "\(word.printable): there is no such file" : nil
        }
        if InputFile.isFolder(word) {
            return "\(word.printable) is a folder: '\(program) check \(word.quotedAsPath)' checks the programs in it"
        }
        if let remedy = CompiledFile.remedy(for: word, tool: program) { return "\(word.printable) \(remedy)" }
        return "\(word.printable) is not a .lab file: if it is a saved trace, "
            + "'\(program) replay \(word.quotedAsPath)' repeats the run"
    }
}

extension Scenario {
    /// The variants with their summaries and expectations.
    package static var variants: [ParameterForm.Choice] {
        guard case .choice(let choices) = Variant.form else { return [] }
        return choices
    }
}
