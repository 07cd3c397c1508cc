import Console
import Glibc
import Supervision
import Text

/// The files and scenarios that the command line of a check names.
struct CheckScope {
    /// The words as they are typed.
    let typed: [String]
    /// Files and folders, and words that are neither paths nor names.
    let paths: [String]
    /// Scenarios, programs and chapters of this program.
    let words: [String]
    /// The folder from which files are named.
    let folder: NamingFolder

    /// - Parameter isKnown: whether this program has a scenario, program or chapter of this name.
    init(_ typed: [String], isKnown: (String) -> Bool) {
        let folder = NamingFolder(around: typed)
        var (paths, words): ([String], [String]) = ([], [])
        for word in typed {
            if access(word, F_OK) == 0 {
                paths.append(word)
            } else if isKnown(word) {
                words.append(word)
            } else {
                // A name that an earlier check has printed is valid in every folder of the repository.
                let location = folder.location(of: word)
                let isOne = LabFiles.isLabFile(word) || InputFile.isFolder(location)
                paths.append(folder.isRepository && isOne && access(location, F_OK) == 0 ? location : word)
            }
        }
        self.typed = typed
        self.paths = paths
        self.words = words
        self.folder = folder
    }

    /// - Parameter builtIn: whether all scenarios of this program are checked.
    func coverage(builtIn: Bool, filters: [String], exclusions: [String]) -> Coverage {
        let places = paths.compactMap { NamingFolder.absolute($0, foundFrom: $0) }
        return Coverage(
            places: places.map { folder.name(of: $0) }, words: words, builtIn: builtIn, filters: filters,
            exclusions: exclusions)
    }

    /// The names that a check covers, whether such scenarios exist or not.
    struct Coverage: Equatable {
        /// The names of the folders and files. An empty name: the naming folder.
        var places: [String]
        var words: [String]
        var builtIn: Bool
        var filters: [String]
        var exclusions: [String]

        /// Whether a file or folder of this name would be checked, if it existed.
        func covers(_ name: String) -> Bool {
            places.contains { place in
                place.isEmpty
                    ? !name.isAbsolutePath : name == place || name.path(below: place) != nil
            }
        }

        /// Whether a name of something in this program would be checked.
        func covers(word name: String) -> Bool {
            builtIn || words.contains { name == $0 || name.path(below: $0) != nil }
        }

        /// Whether the filters and exclusions select the name.
        func picks(_ name: String) -> Bool {
            CheckSubject.matches(name, filters) && (exclusions.isEmpty || !CheckSubject.matches(name, exclusions))
        }
    }
}

extension CheckScope.Coverage: Message {
    func write(to words: inout WordWriter) {
        for list in [places, self.words, filters, exclusions] { words.add(list) { $0.add($1) } }
        words.add(builtIn ? 1 : 0)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        func texts(_ words: inout WordReader) throws(DamagedMessage) -> [String] {
            try words.list { words throws(DamagedMessage) in try words.text() }
        }
        places = try texts(&words)
        self.words = try texts(&words)
        filters = try texts(&words)
        exclusions = try texts(&words)
        builtIn = try words.word() != 0
    }
}

/// A file that is checked.
struct CheckedFile {
    /// The path by which this process opens the file, and by which commands to paste name it.
    let path: String
    /// The path from the naming folder, or the absolute path if the file is outside of it.
    let name: String
    /// The absolute path. Nil: the file has none, for example because it is standard input.
    let location: String?
    /// Whether a word of the command line names the file itself, not a folder in which it was found.
    let isNamed: Bool

    /// - Parameter start: the word of the command line that led to it.
    init(_ path: String, foundFrom start: String, in folder: NamingFolder) {
        self.path = path
        isNamed = path == start
        guard path != InputFile.standardInput, !InputFile.isDescriptor(path),
            let location = NamingFolder.absolute(path, foundFrom: start)
        else {
            name = path
            location = nil
            return
        }
        self.location = location
        name = folder.relative(location) ?? (access(path, F_OK) == 0 ? location : path)
    }

    /// A file that was checked on another machine.
    init(named name: String, in folder: NamingFolder) {
        path = name
        isNamed = false
        self.name = name
        location = name.isAbsolutePath ? name : folder.location(of: name)
    }
}
