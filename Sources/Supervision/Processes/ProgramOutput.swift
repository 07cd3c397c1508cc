import CLab
import Glibc

/// What a program of the system prints, and how it ends. It runs without a terminal and without input, and what it prints to
/// standard error is part of its output.
package struct ProgramOutput: Sendable {
    package enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
        /// It was ended because it took too long.
        case tooLong

        /// As a shell says it.
        package var code: Int32 {
            switch self {
            case .exit(let code): code
            case .signal(let number): 128 + number
            case .tooLong: 128 + SIGTERM
            }
        }
    }

    /// How much of it is kept, and how long it may take.
    package struct Limits: Sendable {
        let bytes: Int
        let time: Duration

        package init(bytes: Int, time: Duration) {
            self.bytes = bytes
            self.time = time
        }
    }

    /// Its beginning, if there is more than the limit.
    package let text: String
    package let end: End

    package init(text: String, end: End) {
        self.text = text
        self.end = end
    }

    /// The time to end in an orderly way.
    private static let grace = Duration.seconds(5)

    /// Waits for its end.
    ///
    /// - Parameters:
    ///   - words: the program, as a path or a name to look for in `PATH`, and its arguments.
    ///   - folder: where it runs.
    ///   - environment: all of its variables, each as `NAME=VALUE`.
    /// - Throws: `ProgramNotStarted`.
    package init(of words: [String], in folder: String, environment: [String], _ limits: Limits)
        throws(ProgramNotStarted)
    {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ProgramNotStarted(number: errno) }
        let (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(reader) }
        let (child, number) = Self.spawn(words, folder, environment, output: writer)
        close(writer)
        guard number == 0 else { throw ProgramNotStarted(number: number) }
        var bytes: [UInt8] = []
        let hasEnded = Self.read(reader, into: &bytes, limits.bytes, for: limits.time)
        if !hasEnded {
            kill(child, SIGTERM)
            if !Self.read(reader, into: &bytes, limits.bytes, for: Self.grace) { kill(child, SIGKILL) }
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        text = String(decoding: bytes, as: UTF8.self)
        end = !hasEnded ? .tooLong : status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
    }

    /// Reads to the end of the output.
    ///
    /// - Returns: whether it was reached in this time.
    private static func read(_ reader: Int32, into bytes: inout [UInt8], _ most: Int, for time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            var wanted = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            // A second at most, so that the number fits.
            guard poll(&wanted, 1, left > .seconds(1) ? 1000 : 10) > 0 else { continue }
            let count = Glibc.read(reader, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return true }
            bytes += chunk[..<min(count, most - bytes.count)]
        }
    }

    private static func spawn(
        _ words: [String], _ folder: String, _ environment: [String], output: Int32
    ) -> (child: pid_t, failure: Int32) {
        var variables = copies(environment)
        var arguments = copies(words)
        defer { for text in variables + arguments { free(text) } }
        var child: pid_t = 0
        let failure = clab_spawn(&arguments, &variables, folder, output, &child)
        return (child, failure)
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}

/// A program of the system could not be started.
package struct ProgramNotStarted: Error {
    /// The system's error number: `ENOENT` if there is no such program, or no such folder to run it in.
    package let number: Int32

    package var reason: String { String(cString: strerror(number)) }
}
