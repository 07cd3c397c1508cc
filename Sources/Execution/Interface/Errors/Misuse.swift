import Trace

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
