import Arguments
import Console
import Glibc
import Text

/// The file `threadlab.toml`: options of `check` for a folder and all below it, and profiles, which are further sets of
/// options that `--profile` chooses.
///
/// The options become words of the command line, before those that are typed. A typed option replaces the file's.
///
/// The author of the file may be a stranger, for example of a cloned repository. So the file's paths cannot lead out of
/// its folder, and it cannot make `check` start a program (see `ProgramGate`).
package struct CheckConfiguration {
    static let name = "threadlab.toml"
    /// The maximum size of the file, in bytes.
    private static let greatestSize = 1 << 20

    private let path: String
    /// The folder of the file, with its slash. Empty: the working directory.
    private let folder: String
    private let tables: [TOMLTable]

    /// The typed words, after the options of the nearest file, if there is one.
    ///
    /// - Parameter words: what is typed after the command's name.
    package static func complete(_ words: [String], for command: Command) throws(Complaint) -> [String] {
        let typed = TypedOptions(words, command)
        if typed.names.contains("no-config") || typed.asksForHelp { return words }
        if let configuration = try CheckConfiguration() {
            // All profiles are read, so that a mistake in one is found even if it is not used.
            for table in configuration.tables {
                _ = try configuration.words(of: table.entries, TypedOptions([], command), command)
            }
            return try configuration.completed(words, typed, command)
        }
        guard let profile = typed.profiles.first else { return words }
        throw Complaint("--profile \(profile.printable): there is no \(name) here or in a folder around this one")
    }

    private static let kind = SettingsFile.Kind(
        name: name, noun: "a configuration", endsAtRepository: true, mostFolders: 256,
        advice: "--no-config checks without it")

    /// The path of the nearest configuration around the working directory, but inside its repository. Nil: there is
    /// none.
    static func nearest() throws(Complaint) -> String? { try SettingsFile(nearest: kind)?.path }

    private init?() throws(Complaint) {
        guard let found = try SettingsFile(nearest: Self.kind) else { return nil }
        try self.init(file: found.path, in: found.folder)
    }

    private init(file path: String, in folder: String) throws(Complaint) {
        self.path = path
        self.folder = folder
        let bytes = try InputFile(path).content(upTo: Self.greatestSize, "a configuration")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Complaint("\(path.printable) is not a text file in UTF-8")
        }
        do throws(TOMLProblem) { tables = try TOMLReader.read(text) } catch {
            throw Self.complaint(path, error.message, error.place)
        }
        for table in tables where !table.name.isEmpty || !table.entries.isEmpty {
            let isKnown = table.name == ["check"] || table.name.count == 2 && table.name[0] == "profile"
            guard isKnown else {
                let place = table.name.isEmpty ? table.entries[0].place : table.place
                let what = table.name.isEmpty ? "an option without a table" : "[\(table.name.joined(separator: "."))]"
                throw Self.complaint(path, "\(what): there are [check] and [profile.NAME]", place)
            }
        }
    }

    private static func complaint(_ path: String, _ message: String, _ place: TOMLPlace) -> Complaint {
        Complaint("\(path.printable):\(place.line):\(place.column): \(message.printable)")
    }

    private func complaint(_ message: String, _ place: TOMLPlace) -> Complaint {
        Self.complaint(path, message, place)
    }

    // MARK: - Words

    /// The words of the table `check` and of the chosen profiles, and then the typed ones.
    private func completed(
        _ words: [String], _ typed: TypedOptions, _ command: Command
    ) throws(Complaint) -> [String] {
        var entries: [(key: String, place: TOMLPlace, value: TOMLValue)] = []
        for name in [["check"]] + typed.profiles.map({ ["profile", $0] }) {
            guard let table = tables.first(where: { $0.name == name }) else {
                if name == ["check"] { continue }
                throw Complaint("\(path.printable) has no [profile.\(name[1])]\(hint(name[1]))".printable)
            }
            // A profile overrides the options before it.
            entries.removeAll { entry in table.entries.contains { $0.key == entry.key } }
            entries += table.entries
        }
        return try self.words(of: entries, typed, command) + words
    }

    /// The words of these entries, without those that typed options replace.
    private func words(
        of entries: [(key: String, place: TOMLPlace, value: TOMLValue)], _ typed: TypedOptions, _ command: Command
    ) throws(Complaint) -> [String] {
        var made: [String] = []
        for entry in entries {
            if entry.key == "paths" {
                guard !typed.hasPaths else { continue }
                for (text, place) in try texts(entry.value) {
                    made.append(try pathOrName(text, place))
                }
                continue
            }
            if let reason = Self.refused[entry.key] {
                throw complaint("'\(entry.key)' counts only where it is typed: \(reason)", entry.place)
            }
            guard let option = command.options.first(where: { $0.name == entry.key && $0.name != "help" }),
                !TypedOptions.ofTheFile.contains(entry.key)
            else {
                let known = closest(to: entry.key, among: command.options.map(\.name) + ["paths"])
                let hint = known.map { "; did you mean '\($0)'?" } ?? ""
                throw complaint("'check' has no option '\(entry.key)'\(hint)", entry.place)
            }
            // Typing an option also replaces those of the file that cannot be combined with it.
            let isReplaced = command.exclusive.contains { group in
                group.contains(option.name) && group.contains { typed.names.contains($0) && $0 != option.name }
            }
            if isReplaced || typed.names.contains(option.name) && !option.repeats { continue }
            made += try self.words(for: option, entry.value)
        }
        return made
    }

    private func hint(_ name: String) -> String {
        let known = tables.filter { $0.name.first == "profile" }.map { $0.name[1] }
        if let near = closest(to: name, among: known) { return "; did you mean '\(near)'?" }
        return known.isEmpty ? "" : ": it has " + known.joined(separator: ", ")
    }

    /// The words that give the option this value. Empty: the option is a flag, and false.
    private func words(for option: Option, _ value: TOMLValue) throws(Complaint) -> [String] {
        if !option.kind.takesValue {
            guard case .boolean(let isGiven) = value.content else {
                throw complaint("\(option.name): must be true or false", value.place)
            }
            return isGiven ? [option.spelling] : []
        }
        let texts: [(text: String, place: TOMLPlace)] =
            option.repeats ? try texts(value) : [(try text(value), value.place)]
        var words: [String] = []
        for (text, place) in texts {
            let word = option.kind == .file ? try located(text, place) : text
            guard option.kind.read(word) != nil else {
                throw complaint("\(option.name) \(text): must be \(option.kind.description)", value.place)
            }
            words.append("\(option.spelling)=\(word)")
        }
        return words
    }

    private func texts(_ value: TOMLValue) throws(Complaint) -> [(text: String, place: TOMLPlace)] {
        guard case .array(let values) = value.content else { return [(try text(value), value.place)] }
        var texts: [(text: String, place: TOMLPlace)] = []
        for value in values { texts.append((try text(value), value.place)) }
        return texts
    }

    private func text(_ value: TOMLValue) throws(Complaint) -> String {
        switch value.content {
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .boolean, .array: throw complaint("must be a string or a number", value.place)
        }
    }

    // MARK: - What a file may not say

    /// Options that are only accepted where the user types them, with the reason.
    private static let refused = [
        "changed-since": "a file names no revision", "merge": "a file brings no results",
        "watch": "a script would never end",
        "list": "a file checks something",
    ]

    /// The word for an element of `paths`: a path, which is relative to the file's folder, or the name of something
    /// that comes with threadlab. Throws if the word would be an option.
    private func pathOrName(_ text: String, _ place: TOMLPlace) throws(Complaint) -> String {
        if text.hasPrefix("-"), text != InputFile.standardInput {
            throw complaint("paths: '\(text)' would be an option: write ./\(text)", place)
        }
        let path = try located(text, place)
        if access(path, F_OK) == 0 { return path }
        // If there is a file or folder of this name in the working directory, the bare text would be its path.
        return text.hasSlash || LabFiles.isLabFile(text) || access(text, F_OK) == 0 ? path : text
    }

    /// The path, from the working directory, for a path that the file contains. Throws if it leads out of the folder.
    private func located(_ path: String, _ place: TOMLPlace) throws(Complaint) -> String {
        if path == InputFile.standardInput { return path }
        guard !path.isAbsolutePath, Self.staysBelow(path), isInFolder(folder + path) else {
            throw complaint("'\(path)' leads out of the folder of this file, and what the file says stays in it", place)
        }
        return folder + path
    }

    /// Whether the path never leads above its start, not even on the way.
    private static func staysBelow(_ path: String) -> Bool {
        var depth = 0
        for part in path.namesOfPath where part != "." {
            depth += part == ".." ? -1 : 1
            if depth < 0 { return false }
        }
        return true
    }

    /// Whether the path leads into the file's folder, with links resolved. For a path that does not exist yet, the
    /// nearest folder on it that exists is judged.
    private func isInFolder(_ path: String) -> Bool {
        guard let root = NamingFolder.resolved(folder.isEmpty ? "." : folder) else { return false }
        var path = path
        while true {
            if let place = NamingFolder.resolved(path.isEmpty ? "." : path) {
                return OutputFolder.contains(root, place)
            }
            var status = stat()
            // A broken link is refused: a file that is written through it could be anywhere.
            if lstat(path, &status) == 0 { return false }
            path = path.withoutLastSlash.placeOfPath ?? ""
        }
    }
}

/// What a command line says about its options before it is parsed.
private struct TypedOptions {
    /// Options about the configuration file itself, which it cannot contain.
    static let ofTheFile: Set = ["profile", "no-config"]

    private(set) var names: Set<String> = []
    private(set) var profiles: [String] = []
    /// Whether the user says what is checked, by a path, a name or `--builtin`.
    private(set) var hasPaths = false
    var asksForHelp: Bool { names.contains("help") }

    init(_ words: [String], _ command: Command) {
        for part in command.roles(of: words) {
            switch part {
            case .word: hasPaths = true
            case .option(let name, let value):
                names.insert(name)
                if name == "profile", let value { profiles.append(value) }
                if name == "builtin" { hasPaths = true }
            }
        }
    }
}
