import Glibc
import Text

/// Whether a file or a folder can be trusted: it must belong to the user or root, and its mode must not let all users
/// change it. Members of its group are trusted.
package enum Owner {
    /// The mode bit of write permission for all users.
    private static let writableByAll: mode_t = 0o002
    private static let stickyBit: mode_t = 0o1000

    /// Why the path cannot be trusted, as the end of a sentence. Nil: it can. For a link, both the link and its target
    /// count.
    package static func doubt(about path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return "cannot be read: \(String(cString: strerror(errno)))" }
        if isOther(status) { return belongs(status) }
        guard stat(path, &status) == 0 else { return "cannot be read: \(String(cString: strerror(errno)))" }
        if isOther(status) { return belongs(status) }
        // In a folder with the sticky bit, such as /tmp, all users can add files, but none can replace another user's.
        let isKept = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & stickyBit != 0
        return status.st_mode & writableByAll != 0 && !isKept ? "can be changed by all users" : nil
    }

    /// Whether all users can add files to the folder.
    static func isOpen(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & writableByAll != 0
    }

    private static func isOther(_ status: stat) -> Bool { status.st_uid != geteuid() && status.st_uid != 0 }
    private static func belongs(_ status: stat) -> String { "belongs to another user (\(status.st_uid))" }

    /// Throws if the path cannot be trusted.
    ///
    /// - Parameters:
    ///   - kind: what the file is, with its article.
    ///   - advice: what the user can do.
    package static func require(of path: String, _ kind: String, orElse advice: String) throws(Complaint) {
        guard let doubt = doubt(about: path) else { return }
        throw Complaint("\(path.printable) \(doubt), and \(kind) is believed only from you and root: \(advice)")
    }
}

/// A file that changes what commands do in its folder and below: a configuration, or a learner's notes.
package struct SettingsFile {
    package let path: String
    /// The file's folder, with a slash at its end. Empty: the working directory.
    package let folder: String

    /// The kind of such a file.
    package struct Kind {
        let name: String
        /// What the file is, with its article.
        let noun: String
        /// Whether the search ends at the root of the repository that contains the working directory.
        let endsAtRepository: Bool
        /// The maximum number of folders that are searched.
        let mostFolders: Int
        /// What the user can do about such a file of another user.
        let advice: String

        package init(name: String, noun: String, endsAtRepository: Bool, mostFolders: Int, advice: String) {
            self.name = name
            self.noun = noun
            self.endsAtRepository = endsAtRepository
            self.mostFolders = mostFolders
            self.advice = advice
        }
    }

    /// The nearest such file: in the working directory, or in a folder around it. The search ends before a folder that
    /// belongs to another user, or to which all users can add files. Nil: there is none.
    ///
    /// - Throws: if the file or its folder cannot be trusted.
    package init?(nearest kind: Kind) throws(Complaint) {
        var folder = ""
        for _ in 0..<kind.mostFolders {
            let here = folder.isEmpty ? "." : folder
            let file = folder + kind.name
            if access(file, F_OK) == 0 {
                if let doubt = Owner.doubt(about: here) {
                    throw Complaint(
                        "the folder of \(file.printable) \(doubt), and \(kind.noun) is believed only from you and root: "
                            + kind.advice)
                }
                try Owner.require(of: file, kind.noun, orElse: kind.advice)
                self.folder = folder
                path = file
                return
            }
            if kind.endsAtRepository && access(folder + ".git", F_OK) == 0 { return nil }
            if NamingFolder.resolved(here) == "/" { return nil }
            folder += "../"
            guard Owner.doubt(about: folder) == nil, !Owner.isOpen(folder) else { return nil }
        }
        return nil
    }
}
