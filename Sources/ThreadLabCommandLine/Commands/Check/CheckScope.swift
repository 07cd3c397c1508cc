import Glibc

/// What the command line of a check names.
struct CheckScope {
    /// As they are typed.
    let typed: [String]
    /// Files and folders, and what is neither a path nor a name.
    let paths: [String]
    /// Scenarios, programs and chapters of this program.
    let words: [String]
    /// From where files are named.
    let folder: NamingFolder
    private let places: [String]

    /// - Parameter isKnown: whether this program has something of this name.
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
                paths.append(folder.isRepository && access(location, F_OK) == 0 ? location : word)
            }
        }
        self.typed = typed
        self.paths = paths
        self.words = words
        self.folder = folder
        places = paths.compactMap { NamingFolder.absolute($0, foundFrom: $0) }
    }

    /// Whether a file with this absolute path would be checked, if it existed.
    func covers(_ path: String) -> Bool {
        places.contains { path == $0 || path.hasPrefix($0 == "/" ? $0 : $0 + "/") }
    }

    /// Whether a name of something in this program would be checked.
    func covers(word name: String, builtIn: Bool) -> Bool {
        builtIn || words.contains { name == $0 || name.hasPrefix($0 + "/") }
    }
}

/// A file that is checked.
struct CheckedFile {
    /// As this process opens it, and as commands to paste name it.
    let path: String
    /// From the naming folder; the absolute path, if it is outside of that.
    let name: String
    /// Absolute. Nil: it has none, as standard input.
    let location: String?

    init(_ path: String, foundFrom start: String, in folder: NamingFolder) {
        self.path = path
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
}
