import Arguments
import Diagnosis
import Glibc
import Library
import Text

/// Suggests what the user probably meant by a word that does not belong in its place, such as a scenario's name where
/// the command should be (`threadlab deadlock`), or the code of a finding where a scenario should be.
package struct MeantWords {
    let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// What to type instead, a word or a whole command. Nil: nothing has this name.
    package func meant(by word: String, instead place: WordPlace) -> String? {
        switch place {
        case .command:
            program(word, command: "run") ?? compiled(word).map { line("explore", $0) } ?? chapter(word) ?? path(word)
                ?? topic(word) ?? page(word)
        case .scenario:
            file(word) ?? compiled(word) ?? variant(word) ?? chapter(word) ?? folder(word) ?? topicCode(word) ?? page(
                word) ?? topic(word)
        case .topic: topicCode(word) ?? program(word, command: "show") ?? chapter(word) ?? topic(word)
        case .term: program(word, command: "show") ?? chapter(word) ?? page(word)
        }
    }

    private func line(_ command: String, _ word: String) -> String {
        "\(session.program) \(command) \(word.quotedAsPath)"
    }

    /// A `.lab` file in the working directory, named without its suffix.
    private func file(_ word: String) -> String? {
        let named = word + LabFiles.suffix
        return !LabFiles.isLabFile(word) && access(named, F_OK) == 0 ? named : nil
    }

    /// A compiled program, which is named by its path.
    private func compiled(_ word: String) -> String? {
        session.compiled.names(word) ? word : CompiledFile.beside(word)
    }

    /// A scenario or a `.lab` program, as the argument of the command.
    private func program(_ word: String, command: String) -> String? {
        if let file = file(word) { return line(command, file) }
        return (try? session.scenario(named: word)) != nil || session.files.names(word) ? line(command, word) : nil
    }

    /// A scenario with a misspelled name and a variant, such as `deadlok/ring`. The variant is kept.
    private func variant(_ word: String) -> String? {
        guard let slash = word.firstIndex(of: "/"), !word.contains("."),
            let name = closest(to: String(word[..<slash]), among: session.scenarios.map { $0.name })
        else { return nil }
        let corrected = name + word[slash...]
        return (try? session.scenario(named: corrected)) == nil ? nil : corrected
    }

    /// A chapter of the library, or a part of the guide.
    private func chapter(_ word: String) -> String? {
        let names = Library.chapters.map(\.name) + GuidePart.all(of: session.scenarios).map(\.name)
        return names.contains(word) ? line("show", word) : nil
    }

    /// The code or name of a finding.
    private func topicCode(_ word: String) -> String? { FindingCode(word: word).map { _ in line("explain", word) } }

    /// A finding, or a term of the glossary.
    private func topic(_ word: String) -> String? {
        topicCode(word) ?? (Glossary.entry(word) == nil ? nil : line("explain", word))
    }

    /// A page of `help`.
    private func page(_ word: String) -> String? {
        session.commands.pages.contains(word) ? line("help", word) : nil
    }

    /// A saved trace, or a folder.
    private func path(_ word: String) -> String? {
        if let folder = folder(word) { return folder }
        return word.contains(".") && access(word, F_OK) == 0 ? line("replay", word) : nil
    }

    private func folder(_ word: String) -> String? { InputFile.isFolder(word) ? line("check", word) : nil }
}
