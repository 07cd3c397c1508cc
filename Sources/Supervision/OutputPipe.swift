import Glibc

/// Leads what a child process prints to its parent, which reads it when it has time.
final class OutputPipe {
    private let readEnd: Int32
    private let writeEnd: Int32

    /// Not more is read at once: the parent has other work.
    private static let most = 1 << 16

    init() throws(SupervisionFailed) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw SupervisionFailed("cannot make a pipe for the run: \(String(cString: strerror(errno)))")
        }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// In the child: standard error goes into the pipe.
    func connect() { dup2(writeEnd, STDERR_FILENO) }

    /// What was printed since the last time. Nil: nothing.
    func read() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.most) { buffer, count in
            count = max(0, Glibc.read(readEnd, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : bytes
    }
}
