import Machine
import Trace

/// An assertion of the scenario failed. The run ends.
public struct AssertionFailed: Error, Sendable, CustomStringConvertible {
    public let description: String
    package let site: SourceSite

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}

/// An error of a test library that is reported as a failed assertion.
package protocol StatedFailure: Error {
    var failure: AssertionFailed { get }
}

/// A claim that the program makes about its runs does not hold. The run ends.
package struct ClaimFailed: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the program itself calls the claim broken.
    package let isBroken: Bool
    package let site: SourceSite

    package init(_ message: String, isBroken: Bool, at site: SourceSite) {
        description = message
        self.isBroken = isBroken
        self.site = site
    }

    package var event: EventKind { isBroken ? .claimBroken : .claimFailed }
}

/// A thread gives up after a long time without progress: the run ends with the outcome `livelock`.
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

/// An operation of a `.lab` program failed, such as taking a value from an empty list: the run ends with the outcome
/// `error`.
package struct ProgramError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package let site: SourceSite

    package init(_ message: String, at site: SourceSite) {
        description = message
        self.site = site
    }
}

/// A call that the primitive's contract forbids: an unlock by a thread that does not hold the lock, a second join, …
///
/// POSIX answers some of these with an error code (`EPERM`, `EDEADLK`, `EINVAL`, `EBUSY`) and leaves the others
/// undefined; here each has a name. The object is unchanged. If the thread does not catch the error, the run ends.
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

/// A thread could not be created: a limit is reached (`EAGAIN`), or the attributes are refused (`EINVAL`, `EPERM`).
public struct ThreadCreationFailed: Error, Sendable, CustomStringConvertible {
    /// The POSIX error number.
    public let code: Int32
    public let description: String

    /// The numbers of `EAGAIN` and `EINVAL` on Linux.
    static let again: Int32 = 11
    package static let invalidArgument: Int32 = 22

    /// The run has no number left for another thread (`EAGAIN`).
    static let noNumber = Self(
        code: again,
        "a run starts at most \(MachineState.maximumThreads) threads, and those that have ended keep their numbers")

    /// There are as many threads as may exist at once (`EAGAIN`).
    static func limit(_ count: Int) -> Self {
        Self(
            code: again,
            "the limit of \(count) threads is reached: one that has ended counts until it is joined or detached")
    }

    package init(code: Int32, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// A process could not be started.
public struct ProcessFailed: Error, Sendable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }
}

/// A primitive was used in a run or execution other than the one in which it was made, where it means nothing.
struct ForeignObject: Error, CustomStringConvertible {
    /// What the object is, and where it was made, if known.
    private var what: String?

    init() {}

    init(_ kind: ObjectKind?, madeAt site: SourceSite) {
        let kind = kind.map { $0 == .part ? "part of an object" : $0.rawValue } ?? "primitive"
        guard let place = site.place else { return }
        let article = kind.first.map("aeiou".contains) == true ? "an" : "a"
        what = "\(article) \(kind) that was created at \(place),"
    }

    var description: String {
        let what = what ?? "a primitive that was created"
        return "\(what) outside this execution is used in it: create it in the code that is run. If a global or static "
            + "variable keeps it, give that a new value at the beginning, because its initializer runs only once in the "
            + "process"
    }

    /// A shared instance, for the same reason as `RunEnded.error`.
    static let error: any Error = ForeignObject()
}

extension SourceSite {
    /// For example `File.swift:12`. Only for a file whose name is a constant of the program.
    fileprivate var place: String? {
        guard fileText == nil, let name = UnsafePointer<CChar>(bitPattern: fileAddress) else { return nil }
        let path = String(cString: name)
        return "\(path.split(separator: "/").last.map(String.init) ?? path):\(line)"
    }
}

/// threadlab has ended the run. Blocking calls throw this error so that scenario code unwinds like ordinary Swift code.
///
/// Do not catch it. Code that catches it and continues is stopped at one of its next calls, which the trace records.
public struct RunEnded: Error, Sendable, CustomStringConvertible {
    /// Whether it ended a call that had begun before the run ended, rather than a later call.
    let isInterruption: Bool

    public var description: String { "RunEnded()" }

    package init() { self.init(isInterruption: false) }

    init(isInterruption: Bool) { self.isInterruption = isInterruption }

    /// A shared instance: creating an error allocates memory, which is noticeable when many short runs deadlock.
    static let error: any Error = RunEnded()
    static let interruption: any Error = RunEnded(isInterruption: true)
}

/// Leaves the body of the calling thread from any function. Thrown by `Thread.exit`.
package struct ThreadExit: Error, Sendable {
    package let value: Int

    package init(value: Int) { self.value = value }
}

/// How an error that leaves a thread's body ends the run. Both runtimes use it.
package struct ErrorEnding {
    package let verdict: Verdict
    /// The event that records the end. Nil if it was recorded where the error was thrown.
    package let event: EventKind?
    package let site: SourceSite
    private let error: any Error

    package init(_ thrown: any Error) {
        error = (thrown as? any StatedFailure)?.failure ?? thrown
        switch error {
        case let misuse as Misuse: (verdict, event, site) = (.misuse, nil, misuse.site)
        case let failure as AssertionFailed: (verdict, event, site) = (.assertion, .assertionFailed, failure.site)
        case let failure as ClaimFailed:
            (verdict, event, site) = (failure.isBroken ? .brokenClaim : .claim, failure.event, failure.site)
        case let failure as NoProgress: (verdict, event, site) = (.livelock, .noProgress, failure.site)
        case let failure as ProgramError: (verdict, event, site) = (.error, .threadError, failure.site)
        default: (verdict, event, site) = (.error, .threadError, .unknown)
        }
    }

    /// The event's text. Computed, because a search ends many runs like this without recording them.
    package var text: String { "\(error)" }
}
