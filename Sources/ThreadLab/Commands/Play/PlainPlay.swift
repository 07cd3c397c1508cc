import Glibc
import Play
import Text

/// The stepper as a conversation: a command a line, an answer in sentences. For scripts, and for screen readers.
struct PlainPlay {
    private var session: PlaySession
    /// Whether a person types: then the command is asked for.
    private let isTerminal: Bool
    /// Longer lines are not commands.
    private static let longestLine = 4096

    init(_ session: PlaySession, isTerminal: Bool) {
        self.session = session
        self.isTerminal = isTerminal
    }

    mutating func run() throws -> ExitCode {
        try write(["You choose each step. 'help' lists the commands.", session.readyLine] + session.endLines)
        while !session.isOver {
            if isTerminal { try StandardOutput.write("> ") }
            guard let line = Self.line() else {
                if isTerminal { try StandardOutput.write("\n") }
                break
            }
            do {
                try write(session.perform(line: line))
            } catch is PlayInterrupted {
                return .interrupted(by: SIGINT)
            }
        }
        return .expected
    }

    private func write(_ lines: [String]) throws(Complaint) {
        let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        if !text.isEmpty { try StandardOutput.write(text + "\n") }
    }

    /// The next line of standard input, one byte at a time: what follows it is not taken from other programs.
    private static func line() -> String? {
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            if bytes.count < longestLine { bytes.append(byte) }
        }
    }
}
