import Console
import Glibc
import Supervision
import Text

/// The words of a check's command line, divided into paths and names.
struct CheckScope {
    /// The words as they are typed.
    let typed: [String]
    /// Paths of files and folders. Words that are neither a path nor a known name are here, too, and reported later.
    let paths: [String]
    /// Names of scenarios, and of programs and chapters of the library.
    let words: [String]
    /// The folder to which names of files are relative.
    let folder: NamingFolder

    /// - Parameter isKnown: whether there is a scenario, program or chapter of this name.
    init(_ typed: [String], isKnown: (String) -> Bool) {
        let folder = NamingFolder(around: typed)
        var (paths, words): ([String], [String]) = ([], [])
        for word in typed {
            if access(word, F_OK) == 0 {
                paths.append(word)
            } else if isKnown(word) {
                words.append(word)
            } else {
                // The name of a file as a check prints it, from the repository's root, is valid in all folders of the
                // repository.
                let location = folder.location(of: word)
                let canBeName = LabFiles.isLabFile(word) || InputFile.isFolder(location)
                paths.append(folder.isRepository && canBeName && access(location, F_OK) == 0 ? location : word)
            }
        }
        self.typed = typed
        self.paths = paths
        self.words = words
        self.folder = folder
    }

    /// What the command line covers.
    ///
    /// - Parameter builtIn: whether all scenarios in Swift are checked.
    func coverage(builtIn: Bool, filters: [String], exclusions: [String]) -> Coverage {
        let places = paths.compactMap { NamingFolder.absolute($0, foundFrom: $0) }
        return Coverage(
            places: places.map { folder.name(of: $0) }, words: words, builtIn: builtIn, filters: filters,
            exclusions: exclusions)
    }

    /// Which names a check covers, whether such scenarios exist or not. It decides whether a name in a baseline that
    /// belongs to no scenario is an error: only if the check would have covered it.
    struct Coverage: Equatable {
        /// The names of the folders and files. The empty name is that of the naming folder.
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

        /// Whether a scenario in Swift or a program of the library would be checked, if it had this name.
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
    /// The path from the naming folder, or the absolute path if the file is outside of it. Reports and lists contain
    /// it.
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
