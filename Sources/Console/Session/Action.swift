import Arguments
import Glibc
import Text

/// A command, such as `run`: its declaration, from which parsing, help and completion are derived, and what it does.
package protocol Action {
    associatedtype Options: OptionGroup
    static var command: TypedCommand<Options> { get }
    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode
}

extension Action {
    package static var declaration: Command { command.command }

    package static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        try run(command.read(arguments), in: session)
    }
}

/// Why a command failed: the message for standard error, and the exit code.
package struct Complaint: Error, CustomStringConvertible {
    package let message: String
    package let code: ExitCode

    package var description: String { message }

    package init(_ message: String, _ code: ExitCode = .usage) {
        self.message = message
        self.code = code
    }

    /// The complaint about a file that cannot be written. Its exit code is `usage`, even if the work was already done.
    package init(_ refusal: WriteRefused) { self.init(refusal.description) }
}

/// The exit codes of the process. Scripts rely on them: they do not change.
package enum ExitCode: Int32, CaseIterable {
    /// The outcome was an expected one, or the command did its work.
    case expected = 0
    /// A finding: the outcome was not expected, a file is not in canonical form, or a task was not done.
    case finding = 1
    /// The command line or an input file is wrong, and nothing was run (a check still ran the other files). Also: a
    /// file that the command line names cannot be written.
    case usage = 2
    /// threadlab itself failed.
    case failure = 3
    // 128 plus the signal, as a shell reports a process that a signal ended.
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    /// - Parameter signal: the signal that interrupted the work. Nil: unknown.
    package static func interrupted(by signal: Int32?) -> ExitCode {
        signal.flatMap { ExitCode(rawValue: 128 + $0) } ?? .interrupted
    }

    package var isInterruption: Bool { self >= .hungUp }
}

/// Exit codes are ordered by their numbers. A command with several results exits with the greatest code.
extension ExitCode: Comparable {
    package static func < (one: ExitCode, other: ExitCode) -> Bool { one.rawValue < other.rawValue }
}

/// The exit codes as the manual page lists them.
extension ExitCode {
    package static var meanings: [(code: String, meaning: String)] {
        allCases.map { (String($0.rawValue), $0.meaning) }
    }

    private var meaning: String {
        switch self {
        case .expected: "The result was an expected one, or the command did its work."
        case .finding: "A finding: a result was not expected, or a file is not in canonical form."
        case .usage: "The command line or an input file is wrong, or an output cannot be written."
        case .failure: "threadlab itself failed."
        case .hungUp: "The terminal was closed (SIGHUP). What was reached is reported."
        case .interrupted: "Interrupted (SIGINT). What was reached is reported."
        case .terminated: "Ended by a request (SIGTERM). What was reached is reported."
        }
    }
}
