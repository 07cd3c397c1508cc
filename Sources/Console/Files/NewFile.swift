import Glibc
import Text
import Trace

/// A file that a command writes completely or not at all. Replacing a file writes to a temporary name, which is then
/// renamed. A link with the file's name is replaced, not followed, unless the user named it.
package struct NewFile {
    package let path: String

    package init(path: String) { self.path = path }

    /// A file at this path or, if the path is a link, where the link leads.
    package init(following path: String) {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        self.path = resolved.map { String(cString: $0) } ?? path
    }

    /// A file that the user named. Throws if it is known now that it cannot be written.
    ///
    /// - Parameters:
    ///   - path: the path that the user gave. A link is followed; anything but a regular file is refused.
    ///   - content: what the file is for, with its article.
    ///   - advice: what to do if the path is not a regular file.
    package init(at path: String, for content: String, orElse advice: String) throws(Complaint) {
        if path == InputFile.standardInput {
            throw Self.cannotSave(content, path, "give it a name; standard output has the report")
        }
        var status = stat()
        if stat(path, &status) == 0 { try Self.requireRegular(status, content, path, orElse: advice) }
        self.init(following: path)
        try requireCreatable(for: content, named: path)
    }

    /// A file in a folder that the user named (see `OutputFolder`). A link with this name is replaced.
    ///
    /// - Parameter content: what the file is for, with its article.
    package init(replacing path: String, for content: String) throws(Complaint) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK {
            try Self.requireRegular(status, content, path, orElse: "remove it")
        }
        self.init(path: path)
        try requireCreatable(for: content, named: path)
    }

    private static func cannotSave(_ content: String, _ path: String, _ reason: String) -> Complaint {
        Complaint("cannot save \(content) in '\(path.printable)': \(reason)")
    }

    /// Throws if the status is not that of a regular file.
    private static func requireRegular(
        _ status: stat, _ content: String, _ path: String, orElse advice: String
    ) throws(Complaint) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw cannotSave(content, path, "it is a directory")
        default: throw cannotSave(content, path, "it is not a regular file; \(advice)")
        }
    }

    /// Throws if the file's folder does not exist, or no file can be created in it.
    ///
    /// - Parameter path: the path as the user knows it.
    private func requireCreatable(for content: String, named path: String) throws(Complaint) {
        let folder = self.path.placeOfPath ?? "."
        guard access(folder, F_OK) == 0 || errno != ENOENT else {
            let name = folder.withoutLastSlash
            throw Self.cannotSave(content, path, "there is no folder '\(name.printable)'; create it first")
        }
        if let reason = Self.refusal(of: self.path) { throw Self.cannotSave(content, path, reason) }
    }

    /// Why no file can be created beside this path. Nil: one can be. The function creates and removes a temporary file,
    /// because the folder's mode alone does not decide it.
    static func refusal(of path: String) -> String? {
        let failure = fill(temporary(path), keeping: nil) { _ in }
        guard failure == 0 else {
            // This is the error of folders such as /proc.
            return failure == ENOENT ? "it takes no new files" : String(cString: strerror(failure))
        }
        unlink(temporary(path))
        return nil
    }

    /// The temporary name, in the same folder.
    fileprivate static func temporary(_ path: String) -> String { "\(path).\(getpid()).tmp" }

    /// Creates the file, or replaces an existing one: the new file is written next to it, then renamed.
    ///
    /// - Parameters:
    ///   - status: the status whose mode and owner the new file gets. Nil: the defaults of the user.
    ///   - isDurable: whether the file must be on the disk when this returns, so that it is complete even after a power
    ///     failure.
    ///   - body: writes the content.
    package func write(
        keeping status: stat? = nil, isDurable: Bool = false, _ body: (inout ByteSink) -> Void
    ) throws(Complaint) {
        let temporary = Self.temporary(path)
        try requireSuccess(Self.fill(temporary, keeping: status, isDurable: isDurable, body))
        guard rename(temporary, path) == 0 else {
            let failure = errno
            unlink(temporary)
            throw complaint(failure)
        }
        if isDurable { try requireSuccess(Self.flushFolder(of: path)) }
    }

    /// Creates or replaces the file with what another program writes to a descriptor. The program is given no name to
    /// open, because a link could have taken the name by then.
    ///
    /// - Parameter program: runs the program, which writes to this descriptor.
    func fillThroughDescriptor(_ program: (Int32) throws(Complaint) -> Void) throws(Complaint) {
        let temporary = Self.temporary(path)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw complaint(errno) }
        defer { close(descriptor) }
        do throws(Complaint) {
            try program(descriptor)
            guard rename(temporary, path) == 0 else { throw complaint(errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// A file without a name, in this file's folder, for another program to read from the descriptor. It disappears
    /// when the descriptor is closed.
    func nameless(_ body: (inout ByteSink) -> Void) throws(Complaint) -> Int32 {
        let temporary = Self.temporary(path)
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw complaint(errno) }
        unlink(temporary)
        let failure = Self.fill(descriptor, body)
        guard failure == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            close(descriptor)
            throw complaint(failure == 0 ? errno : failure)
        }
        return descriptor
    }

    /// Writes the folder's entries to the disk. An error with which a file system says that it does not support this is
    /// no failure: then the file is as durable as that file system makes it.
    ///
    /// - Returns: the error number, or 0.
    private static func flushFolder(of path: String) -> Int32 {
        let folder = path.placeOfPath ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == EACCES ? 0 : errno }
        defer { close(descriptor) }
        if fsync(descriptor) == 0 { return 0 }
        return [EINVAL, ENOSYS, ENOTSUP, EBADF, EPERM].contains(errno) ? 0 : errno
    }

    /// Creates the file under its final name. Throws if the name is taken.
    package func create(_ body: (inout ByteSink) -> Void) throws(Complaint) {
        let failure = Self.fill(path, keeping: nil, body)
        switch failure {
        case 0: return
        case EEXIST: throw Complaint("\(path.printable) already exists: choose another name")
        case ENOENT, ENOTDIR:
            let folder = path.folderOfPath ?? "."
            if access(folder, F_OK) == 0 {
                throw Complaint("cannot create \(path.printable): '\(folder.printable)' takes no new files")
            }
            throw Complaint(
                "cannot create \(path.printable): there is no folder '\(folder.printable)'; create it first")
        case EACCES, EPERM, EROFS, ENAMETOOLONG, ELOOP:
            throw Complaint("cannot create \(path.printable): \(String(cString: strerror(failure)))")
        default: throw complaint(failure)
        }
    }

    /// - Parameter failure: an error number, or 0.
    private func requireSuccess(_ failure: Int32) throws(Complaint) { if failure != 0 { throw complaint(failure) } }

    /// The complaint that the file cannot be written, because of the error with this number.
    package func complaint(_ failure: Int32) -> Complaint {
        Complaint(WriteRefused("write \(path.printable)", failure))
    }

    /// Creates and fills a file; if that fails, removes it.
    ///
    /// - Returns: the error number, or 0.
    private static func fill(
        _ path: String, keeping status: stat?, isDurable: Bool = false, _ body: (inout ByteSink) -> Void
    ) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return errno }
        var failure = status.map { keep($0, of: descriptor) } ?? 0
        if failure == 0 { failure = fill(descriptor, body) }
        if isDurable && failure == 0 && fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0 && failure == 0 { failure = errno }
        if failure != 0 { unlink(path) }
        return failure
    }

    /// Writes what the body passes to a sink.
    ///
    /// - Returns: the error number, or 0.
    private static func fill(_ descriptor: Int32, _ body: (inout ByteSink) -> Void) -> Int32 {
        var failure: Int32 = 0
        var sink = ByteSink { chunk in
            if failure == 0 { failure = writeAll(chunk, to: descriptor) }
        }
        body(&sink)
        sink.flush()
        return failure
    }

    /// Gives the open file this owner and mode. Returns the error number, or 0.
    private static func keep(_ status: stat, of descriptor: Int32) -> Int32 {
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { return errno }
        if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid) {
            guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else { return errno }
        }
        return fchmod(descriptor, status.st_mode & 0o7777) == 0 ? 0 : errno
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                if count < 0 { return errno }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }
}

/// A folder that is created with all its files, or not at all.
package struct NewFolder {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Throws if the name is taken, or the folder around it does not exist. Commands call it before their work.
    package func requireNew() throws(Complaint) {
        guard access(path, F_OK) != 0 else {
            throw Complaint("\(path.printable) already exists: choose another name")
        }
        let whole = path.withoutLastSlash
        let parent = whole.folderOfPath ?? "."
        if !parent.isEmpty, access(parent, F_OK) != 0, errno == ENOENT {
            throw Complaint(
                "cannot create the folder \(path.printable): there is no folder '\(parent.printable)'; create it first")
        }
    }

    /// Creates the folder. Throws if the name is taken. If a file cannot be written, nothing remains.
    ///
    /// - Parameter files: the files' paths in the folder, and their content.
    package func create(_ files: [(path: String, text: String)]) throws(Complaint) {
        try create(files.map { ($0.path, Array($0.text.utf8)) })
    }

    package func create(_ files: [(path: String, bytes: [UInt8])]) throws(Complaint) {
        try requireNew()
        let temporary = NewFile.temporary(path)
        do throws(Complaint) {
            try make(temporary)
            for file in files { try write(file.bytes, "\(temporary)/\(file.path)", below: temporary) }
            guard rename(temporary, path) == 0 else { throw complaint(errno) }
        } catch {
            remove(temporary, files.map(\.path))
            throw error
        }
    }

    private func write(_ bytes: [UInt8], _ file: String, below root: String) throws(Complaint) {
        var folder = root
        for part in (file.path(below: root) ?? "").namesOfPath.dropLast() {
            folder += "/" + part
            if access(folder, F_OK) != 0 { try make(folder) }
        }
        do throws(Complaint) {
            try NewFile(path: file).create { $0.write(bytes) }
        } catch {
            // The folder has a temporary name until it is complete. Messages must have its final name.
            throw Complaint(error.message.replacing(root, with: path), error.code)
        }
    }

    private func make(_ folder: String) throws(Complaint) {
        guard mkdir(folder, 0o755) == 0 else { throw complaint(errno) }
    }

    /// Removes the files that were written, and the folders that are empty then.
    private func remove(_ root: String, _ files: [String]) {
        for file in files {
            var parts = file.namesOfPath
            unlink("\(root)/\(file)")
            while !parts.isEmpty {
                parts.removeLast()
                rmdir("\(root)/\(parts.joined(separator: "/"))")
            }
        }
        rmdir(root)
    }

    private func complaint(_ failure: Int32) -> Complaint {
        Complaint(WriteRefused("create the folder \(path.printable)", failure))
    }
}
