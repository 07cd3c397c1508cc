import Glibc
import Text
import Trace

/// A file named on the command line, read as a whole. `-` is standard input.
package struct InputFile {
    package static let standardInput = "-"

    /// Whether the path is that of an open descriptor, such as a shell uses for `<(command)`.
    package static func isDescriptor(_ path: String) -> Bool {
        path.path(below: "/dev/fd") != nil || path == "/dev/stdin"
    }

    private let path: String
    private let beginning: [UInt8]

    /// - Parameter beginning: the bytes that were already read from standard input. They come before the rest of it.
    package init(_ path: String, beginning: [UInt8] = []) {
        self.path = path
        self.beginning = beginning
    }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes to read.
    ///   - what: the expected content, with its article, for the message about a larger file. Nil: the beginning of a
    ///     larger file is enough.
    package func content(upTo limit: Int, _ what: String? = nil) throws(Complaint) -> [UInt8] {
        if path == Self.standardInput { return try stream(STDIN_FILENO, upTo: limit, what) }
        // Without O_NONBLOCK, opening a named pipe would wait for a writer. The pipe of `<(command)` has one.
        let isDescriptor = Self.isDescriptor(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isDescriptor ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw failed(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failed(errno) }
        if isDescriptor, status.st_mode & S_IFMT == S_IFIFO { return try stream(descriptor, upTo: limit, what) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file"
            throw Complaint("\(path.printable) is \(kind)")
        }
        if let what, status.st_size > limit { throw Complaint("\(path.printable) is too large to be \(what)") }
        return try content(of: descriptor, upTo: min(Int(status.st_size), limit))
    }

    /// Reads a file whose size is not known in advance. Each read asks for as many bytes as have been read, so their
    /// number doubles.
    private func stream(_ descriptor: Int32, upTo limit: Int, _ what: String?) throws(Complaint) -> [UInt8] {
        var bytes = beginning
        while bytes.count < limit {
            let size = min(max(bytes.count, Self.smallestRead), limit - bytes.count)
            let chunk = try content(of: descriptor, upTo: size)
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
        if let what, try !content(of: descriptor, upTo: 1).isEmpty {
            throw Complaint("\(name) is too large to be \(what)")
        }
        return bytes
    }

    /// In bytes.
    private static let smallestRead = 1 << 16

    /// The name in messages.
    private var name: String { path == Self.standardInput ? "standard input" : path.printable }

    /// Reads until the limit or the end of the file.
    private func content(of descriptor: Int32, upTo limit: Int) throws(Complaint) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit {
                let read = Glibc.read(descriptor, buffer.baseAddress! + count, limit - count)
                if read < 0 && errno == EINTR { continue }
                if read < 0 { failure = errno }
                if read <= 0 { break }
                count += read
            }
        }
        if failure != 0 { throw failed(failure) }
        return bytes
    }

    private func failed(_ failure: Int32) -> Complaint {
        Complaint("cannot read \(name): \(String(cString: strerror(failure)))")
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
