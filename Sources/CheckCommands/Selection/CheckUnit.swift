import Authoring
import Console
import Glibc
import Library
import Text

/// Something to check, found by its name before its file is read: a file, a variant of a scenario, or a program of the
/// library. A divided check assigns units to machines; the files of other machines' units are never read.
struct CheckUnit {
    enum Content {
        case file(CheckedFile)
        /// A scenario in Swift, and the name of its variant.
        case variant(any Scenario.Type, String)
        /// A program of the library, or on standard input.
        case program
        /// Something that cannot be checked, with the reason.
        case wrong(String)
    }

    /// `deadlock/ring`, or a file's path from the naming folder. No two units of a check have the same name.
    let name: String
    let content: Content

    var file: CheckedFile? {
        if case .file(let file) = content { file } else { nil }
    }

    /// All units that the command line names: built-in scenarios (`--builtin`), then those of names, then those of
    /// paths.
    static func all(
        _ scope: CheckScope, _ coverage: CheckScope.Coverage, _ session: Session
    ) throws(Complaint) -> [Self] {
        guard coverage.builtIn || !scope.typed.isEmpty else {
            throw Complaint("check: name .lab files, folders or what '\(session.program) show' lists, or use --builtin")
        }
        var units = coverage.builtIn ? session.scenarios.flatMap { variants(of: $0) } : []
        for word in scope.words { units += known(word, session) }
        var search = LabSearch()
        var files: [Self] = []
        for start in scope.paths {
            let found = search.files.count
            search.add(start)
            files += search.files[found...].map { path in
                let file = CheckedFile(path, foundFrom: start, in: scope.folder)
                return Self(name: file.name, content: .file(file))
            }
        }
        let unreadable = search.complaints.map { Self(name: $0.path, content: .wrong($0.message)) }
        guard !units.isEmpty || !unreadable.isEmpty || !files.isEmpty else {
            let places = scope.typed.map { "'\($0.printable)'" }.joined(separator: ", ")
            throw Complaint("no .lab file in \(places)")
        }
        // A folder without programs is reported whatever the filters say.
        let empty = search.emptyFolders.map { Self(name: $0, content: .wrong("no .lab file in this folder")) }
        units =
            (units + unreadable).filter { coverage.picks($0.name) } + empty + files.filter { coverage.picks($0.name) }
        guard !units.isEmpty else {
            let options = CheckAction.command.options
            let patterns = coverage.filters.map { "'\($0.printable)'" }.joined(separator: " or ")
            throw Complaint(
                patterns.isEmpty
                    ? "\(options.exclude.spelling) leaves nothing to check"
                    : "\(options.filter.spelling): no scenario matches \(patterns)")
        }
        // Of a file that is both named and found in a folder, the named one remains: it may start a compiled program.
        let named = Set(units.filter { $0.file?.isNamed == true }.map(\.name))
        units.removeAll { named.contains($0.name) && $0.file?.isNamed == false }
        var seen: Set<String> = []
        return units.filter { seen.insert($0.name).inserted }
    }

    /// The units of a word that is not a path: the variants of a scenario, a program of the library, or all programs of
    /// a chapter. If several have the name, the units of all of them.
    static func known(_ word: String, _ session: Session) -> [Self] {
        let scenario = NamedScenario(word, among: session.scenarios)
        let scenarios = scenario.map { named in
            variants(of: named.type).filter { named.variant == nil || $0.name == word }
        }
        let chapter = Library.chapters.first { $0.name == word }
        let programs =
            (session.files.libraryProgram(word).map { [$0.name] } ?? []) + (chapter?.programs.map { $0.name } ?? [])
        return (scenarios ?? []) + programs.map { Self(name: $0, content: .program) }
    }

    private static func variants(of type: any Scenario.Type) -> [Self] {
        type.variants.map { Self(name: NamedScenario.name(type, $0.word), content: .variant(type, $0.word)) }
    }
}
