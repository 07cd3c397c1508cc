import Glibc
import Text

/// Whether a file or a folder can be believed: if it is the user's or root's, and only they can change it.
enum Owner {
    private static let writableByAll: mode_t = 0o002
    private static let onlyOwnersReplace: mode_t = 0o1000

    /// Why it cannot be believed, as the end of a sentence about it. Nil: it can. Of a link, both it and what it leads to count.
    static func doubt(about path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return "cannot be read: \(String(cString: strerror(errno)))" }
        if isOther(status) { return belongs(status) }
        guard stat(path, &status) == 0 else { return "cannot be read: \(String(cString: strerror(errno)))" }
        if isOther(status) { return belongs(status) }
        // In a folder such as /tmp, all can add files, and none can replace another's.
        let isKept = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & onlyOwnersReplace != 0
        return status.st_mode & writableByAll != 0 && !isKept ? "can be changed by all users" : nil
    }

    /// Whether all users can add files to the folder.
    static func isOpen(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & writableByAll != 0
    }

    private static func isOther(_ status: stat) -> Bool { status.st_uid != geteuid() && status.st_uid != 0 }
    private static func belongs(_ status: stat) -> String { "belongs to another user (\(status.st_uid))" }

    /// - Parameters:
    ///   - kind: what it is, with its article.
    ///   - advice: what the user can do.
    static func require(of path: String, _ kind: String, orElse advice: String) throws(Complaint) {
        guard let doubt = doubt(about: path) else { return }
        throw Complaint("\(path.printable) \(doubt), and \(kind) is believed only from you and root: \(advice)")
    }
}

/// A file that changes what commands do in its folder and below: a configuration, or a learner's notes.
struct SettingsFile {
    let path: String
    /// Its folder, with a slash at its end. Empty: the working directory.
    let folder: String

    /// Of what kind such a file is.
    struct Kind {
        let name: String
        /// With its article.
        let noun: String
        /// Whether it is not searched outside of a repository that the working directory is in.
        let endsAtRepository: Bool
        /// How many folders are searched.
        let mostFolders: Int
        /// What the user can do if one of another user is met.
        let advice: String
    }

    /// The nearest one: in the working directory, or in a folder around it, as far as these are the user's or root's and closed to others.
    /// Nil: there is none.
    ///
    /// - Throws: it, or its folder, is another user's.
    init?(nearest kind: Kind) throws(Complaint) {
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
