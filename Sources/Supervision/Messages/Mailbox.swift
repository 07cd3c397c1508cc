import Glibc

/// A pipe through which a forked process sends messages of words to its parent. Complete messages arrive even if the
/// process dies.
struct Mailbox {
    private let reader: Int32
    private let writer: Int32
    /// The beginning of a message that has not arrived completely.
    private var bytes: [UInt8] = []

    /// The maximum number of words in a message: a longer one is damaged.
    private static let longest = 1 << 27

    /// Must be called while the process has one thread: before the pipe is marked to be closed in other programs,
    /// another thread could start a program that would inherit it.
    init() throws(SupervisionFailed) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw SupervisionFailed("cannot create a pipe: \(String(cString: strerror(errno)))")
        }
        (reader, writer) = (ends[0], ends[1])
        // Programs that the scenario starts must not keep the pipe open.
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
                // There is no reader left.
                if count < 0 { _exit(0) }
                rest = rest.dropFirst(count)
            }
        }
    }

    func send(_ message: some Message) {
        var words = WordWriter()
        words.add(message)
        send(words)
    }

    // MARK: - The parent's end

    /// Must be called after the child has been forked.
    func closeWriter() { close(writer) }

    func closeReader() { close(reader) }

    var poll: pollfd { pollfd(fd: reader, events: Int16(POLLIN), revents: 0) }

    /// Whether there is something to receive; the end of the pipe counts.
    var hasNews: Bool {
        var poll = poll
        return Glibc.poll(&poll, 1, 0) > 0
    }

    /// Receives what has arrived, and passes on each complete message.
    ///
    /// - Returns: false at the end: the child is gone.
    /// - Throws: if a message is damaged. Nothing after it is meaningful.
    mutating func receive(
        _ take: (inout WordReader) throws(DamagedMessage) -> Void
    ) throws(DamagedMessage) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reader, &chunk, chunk.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        bytes += chunk[..<count]
        let size = MemoryLayout<Int>.size
        var start = 0
        defer { bytes.removeFirst(start) }
        while bytes.count - start >= size {
            let length = Self.decoded(bytes[start..<start + size])[0]
            guard (0...Self.longest).contains(length) else { throw DamagedMessage() }
            let (begin, end) = (start + size, start + (length + 1) * size)
            guard bytes.count >= end else { break }
            var message = WordReader(Self.decoded(bytes[begin..<end])[...])
            start = end
            try take(&message)
            try message.finish()
        }
        return count > 0
    }

    /// The words that these bytes represent.
    private static func decoded(_ slice: ArraySlice<UInt8>) -> [Int] {
        slice.withUnsafeBytes { bytes in
            (0..<bytes.count / MemoryLayout<Int>.size).map {
                bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Int>.size, as: Int.self)
            }
        }
    }
}
