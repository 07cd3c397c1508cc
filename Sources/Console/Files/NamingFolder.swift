import Glibc
import Text

/// The folder to which the names of checked files are relative. Baselines and results of `check` contain these names,
/// so a file has one name, however the command line spells its path, and wherever in the repository the command is
/// typed.
///
/// It is the root of the repository that contains everything that is checked. Outside of a repository it is the working
/// directory or, if that does not contain everything, the innermost folder that does.
package struct NamingFolder {
    /// The absolute path, with links resolved, and without a slash at its end.
    package let path: String
    /// Whether it is a repository's root. Then names do not depend on the working directory.
    package let isRepository: Bool

    /// - Parameter paths: the files and folders of the command line. Those that do not exist are left out.
    package init(around paths: [String]) {
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

    /// The path from this folder to an absolute path whose links are resolved. Nil: it is outside, or this folder is
    /// `/`, from which the absolute path is the clearer name.
    package func relative(_ absolute: String) -> String? {
        path == "/" ? nil : absolute.path(below: path).map(String.init)
    }

    /// The name for an absolute path whose links are resolved: empty for this folder, the path itself if it is outside.
    package func name(of absolute: String) -> String { absolute == path ? "" : relative(absolute) ?? absolute }

    /// The path of the file with this name.
    package func location(of name: String) -> String { path == "/" ? "/" + name : "\(path)/\(name)" }

    /// The absolute path of a file. Nil: there is no such folder.
    ///
    /// - Parameters:
    ///   - file: the file's path, which begins with `start`.
    ///   - start: the word of the command line that led to the file. Links among its folders are resolved. A file that
    ///     is a link itself keeps the link's name, and so do files below a folder.
    package static func absolute(_ file: String, foundFrom start: String) -> String? {
        if isFolder(start) {
            guard let folder = resolved(start) else { return nil }
            let rest = file.path(below: start.withoutLastSlash) ?? ""
            return rest.isEmpty ? folder : folder == "/" ? "/" + rest : "\(folder)/\(rest)"
        }
        guard let folder = resolved(start.placeOfPath ?? ".") else { return nil }
        let name = start.path(below: start.placeOfPath ?? "") ?? start[...]
        return folder == "/" ? "/" + name : "\(folder)/\(name)"
    }

    /// The folder that a word of the command line names, or the folder of the file that it names.
    private static func place(of word: String) -> String? {
        guard access(word, F_OK) == 0, !InputFile.isDescriptor(word) else { return nil }
        if isFolder(word) { return resolved(word) }
        return resolved(word.placeOfPath ?? ".")
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The innermost folder on this path that contains `.git`.
    private static func repository(around components: [Substring]) -> String? {
        for count in stride(from: components.count, through: 0, by: -1) {
            let folder = "/" + components[..<count].joined(separator: "/")
            if access(folder == "/" ? "/.git" : folder + "/.git", F_OK) == 0 { return folder }
        }
        return nil
    }

    private static func components(_ path: String) -> [Substring] { path.namesOfPath }

    /// The absolute path with links resolved. Nil: the path leads nowhere.
    package static func resolved(_ path: String) -> String? {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        return resolved.map { String(cString: $0) }
    }
}
