import Trace

/// The lab has ended the run: blocking calls throw this so that scenario code unwinds as ordinary Swift does.
///
/// Let it pass. Code that catches it and goes on is stopped at its next call, and told so in the trace.
public struct RunEnded: Error, Sendable {
    package init() {}

    /// One for all: to make an error takes memory, and where many short runs deadlock that is felt.
    static let error: any Error = RunEnded()
}

/// A call that the primitive's contract forbids: an unlock by a thread that does not hold the lock, a second join, …
///
/// POSIX answers some of these with an error code (`EPERM`, `EDEADLK`, `EINVAL`, `EBUSY`) and leaves the others undefined;
/// here each has a name. Nothing has happened to the object. A thread that does not catch it ends the run.
public struct Misuse: Error, Sendable, CustomStringConvertible {
    package let kind: MisuseKind
    package let site: SourceSite

    package init(_ kind: MisuseKind, at site: SourceSite) {
        self.kind = kind
        self.site = site
    }

    /// The stable identifier, for example `unlock-not-owner`.
    public var identifier: String { kind.identifier }

    public var description: String { "misuse: the thread \(kind.explanation)" }
}

/// A statement that a scenario made about itself turned out to be false. The run ends.
public struct AssertionFailed: Error, Sendable, CustomStringConvertible {
    public let description: String
    package let site: SourceSite

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}

/// What a `.lab` program wants cannot be done, such as taking a value from an empty list: the run ends with the outcome `error`.
package struct ProgramError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package let site: SourceSite

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}

/// A thread gives up, because it has been busy for long without getting anywhere: the run ends with the outcome `livelock`.
public struct NoProgress: Error, Sendable, CustomStringConvertible {
    public let description: String
    package let site: SourceSite

    public init(_ message: String, file: StaticString = #fileID, line: UInt = #line) {
        description = message
        site = SourceSite(file, line)
    }

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}

/// A thread could not be made: the system's limit is reached (`EAGAIN`), or the attributes are refused (`EINVAL`).
public struct ThreadCreationFailed: Error, Sendable, CustomStringConvertible {
    /// The POSIX error number.
    public let code: Int32
    public let description: String

    package init(code: Int32, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// Leaves the body of the calling thread, whatever function it is in. Thrown by `Thread.exit`.
package struct ThreadExit: Error, Sendable {
    package let value: Int

    package init(value: Int) { self.value = value }
}
