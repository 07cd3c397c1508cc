import Glibc
import Text

/// The folder from which the files of a check are named, so that a file has one name, however the command line spells its
/// path and wherever it is typed.
///
/// It is the root of the repository around everything that is checked. Outside of a repository it is the working directory,
/// or, if not everything is in that, the innermost folder that has everything.
struct NamingFolder {
    /// Without links, and without a slash at its end.
    let path: String
    /// Whether it is a repository's root: then names do not depend on where the check is typed.
    let isRepository: Bool

    /// - Parameter paths: the files and folders of the command line. Those that do not exist are left out.
    init(around paths: [String]) {
        let places = paths.compactMap { Self.place(of: $0) }
        let working = Self.resolved(".") ?? "/"
        var common = places.first.map(Self.components) ?? Self.components(working)
        for place in places.dropFirst() {
            common = zip(common, Self.components(place)).prefix { $0 == $1 }.map(\.0)
        }
        if let root = Self.repository(around: common) {
            path = root
            isRepository = true
        } else {
            let isInside = common.starts(with: Self.components(working))
            path = isInside ? working : "/" + common.joined(separator: "/")
            isRepository = false
        }
    }

    /// The path from here of what an absolute path without links leads to. Nil: it is outside, or this is the root of all
    /// files, from which an absolute path is the clearer name.
    func relative(_ absolute: String) -> String? {
        path == "/" ? nil : absolute.path(below: path).map(String.init)
    }

    /// What is called by an absolute path without links: empty for this folder, the path itself if it is outside.
    func name(of absolute: String) -> String { absolute == path ? "" : relative(absolute) ?? absolute }

    /// The path of what is named from here.
    func location(of name: String) -> String { path == "/" ? "/" + name : "\(path)/\(name)" }

    /// The absolute path of a file. Nil: there is no such folder.
    ///
    /// - Parameters:
    ///   - file: its path, which begins with that of `start`.
    ///   - start: the word of the command line that led to it. Links in its own path are resolved, those below it are not: in
    ///     a folder of links, files have the names of the links.
    static func absolute(_ file: String, foundFrom start: String) -> String? {
        if isFolder(start) {
            guard let folder = resolved(start) else { return nil }
            let rest = file.path(below: start.withoutLastSlash) ?? ""
            return rest.isEmpty ? folder : folder == "/" ? "/" + rest : "\(folder)/\(rest)"
        }
        guard let folder = resolved(start.placeOfPath ?? ".") else { return nil }
        let name = start.path(below: start.placeOfPath ?? "") ?? start[...]
        return folder == "/" ? "/" + name : "\(folder)/\(name)"
    }

    /// The folder that a word of the command line is about: itself, or the one that the file is in.
    private static func place(of word: String) -> String? {
        guard access(word, F_OK) == 0, !InputFile.isDescriptor(word) else { return nil }
        if isFolder(word) { return resolved(word) }
        return resolved(word.placeOfPath ?? ".")
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func repository(around components: [Substring]) -> String? {
        for count in stride(from: components.count, through: 0, by: -1) {
            let folder = "/" + components[..<count].joined(separator: "/")
            if access(folder == "/" ? "/.git" : folder + "/.git", F_OK) == 0 { return folder }
        }
        return nil
    }

    private static func components(_ path: String) -> [Substring] { path.namesOfPath }

    /// Nil: it leads nowhere.
    static func resolved(_ path: String) -> String? {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        return resolved.map { String(cString: $0) }
    }
}
