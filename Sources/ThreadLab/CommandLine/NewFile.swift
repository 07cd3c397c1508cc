import Arguments
import Glibc
import Trace

/// A file that appears under its name only when it is whole: written beside it, then renamed.
struct NewFile {
    let path: String

    /// - Parameters:
    ///   - path: as the user gave it. A link is followed, and what is no file is left alone.
    ///   - content: what the file is for, with its article.
    ///   - advice: what to do where there is something else than a file.
    init(at path: String, for content: String, orElse advice: String) throws(Complaint) {
        func refuse(_ reason: String) -> Complaint {
            Complaint("cannot save \(content) in '\(path.printable)': \(reason)", .failure)
        }
        var status = stat()
        if stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw refuse("it is a directory")
            default: throw refuse("it is no file; \(advice)")
            }
        }
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        self.path = resolved.map { String(cString: $0) } ?? path
        let folder = self.path.lastIndex(of: "/").map { String(self.path[...$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw refuse(String(cString: strerror(errno))) }
    }

    /// - Parameter body: writes the content.
    func write(_ body: (inout ByteSink) -> Void) throws(Complaint) {
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw complaint(errno) }
        var failure: Int32 = 0
        var sink = ByteSink { chunk in
            if failure == 0 { failure = Self.writeAll(chunk, to: descriptor) }
        }
        body(&sink)
        sink.flush()
        if close(descriptor) != 0 && failure == 0 { failure = errno }
        if failure == 0 && rename(temporary, path) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(temporary)
            throw complaint(failure)
        }
    }

    private func complaint(_ failure: Int32) -> Complaint {
        Complaint("cannot write \(path.printable): \(String(cString: strerror(failure)))", .failure)
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
