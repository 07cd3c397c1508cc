import Glibc

/// A pipe through which a forked process sends messages of words to its parent. What it sent whole arrives, however it ends.
struct Mailbox {
    private let reader: Int32
    private let writer: Int32
    private var bytes: [UInt8] = []

    /// More words than any message has: a longer one is damaged.
    private static let longest = 1 << 27

    /// Must be called while the process has one thread, as whatever forks: between the two calls here another thread could
    /// start a program, which would then have the pipe.
    init() throws(SupervisionFailed) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw SupervisionFailed("cannot create a pipe: \(String(cString: strerror(errno)))")
        }
        (reader, writer) = (ends[0], ends[1])
        // A program that the scenario starts must not keep it open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    // MARK: - The child's end

    /// Sends a message. Waits while the pipe is full.
    func send(_ message: WordWriter) {
        let words = [message.words.count] + message.words
        words.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(writer, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                // Nobody is left to read it.
                if count < 0 { _exit(0) }
                rest = rest.dropFirst(count)
            }
        }
    }

    // MARK: - The parent's end

    /// To be called once the child has been forked.
    func closeWriter() { close(writer) }

    func closeReader() { close(reader) }

    /// What `poll` is asked for it.
    var poll: pollfd { pollfd(fd: reader, events: Int16(POLLIN), revents: 0) }

    /// Whether there is something to receive, if only the end.
    var hasNews: Bool {
        var poll = poll
        return Glibc.poll(&poll, 1, 0) > 0
    }

    /// Takes what has come, and hands over each whole message.
    ///
    /// - Returns: false at the end: the child is gone.
    /// - Throws: if a message is not what was sent. Nothing that comes after it means anything.
    mutating func receive(
        _ take: (inout WordReader) throws(DamagedMessage) -> Void
    ) throws(DamagedMessage) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reader, &chunk, chunk.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        bytes += chunk[..<count]
        let size = MemoryLayout<Int>.size
        while bytes.count >= size {
            let length = Self.words(bytes[..<size])[0]
            guard (0...Self.longest).contains(length) else { throw DamagedMessage() }
            let end = (length + 1) * size
            guard bytes.count >= end else { break }
            var message = WordReader(Self.words(bytes[size..<end])[...])
            bytes.removeFirst(end)
            try take(&message)
            try message.finish()
        }
        return count > 0
    }

    private static func words(_ bytes: ArraySlice<UInt8>) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / MemoryLayout<Int>.size).map {
                bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Int>.size, as: Int.self)
            }
        }
    }
}
