/// threadlab has ended the run: blocking calls throw this so that scenario code unwinds like ordinary Swift code.
///
/// Do not catch it. Code that catches it and continues is stopped at its next call, and the trace records this.
public struct RunEnded: Error, Sendable, CustomStringConvertible {
    /// Whether it ended a call that had begun before the end, and not one that came afterwards.
    let isInterruption: Bool

    public var description: String { "RunEnded()" }

    package init() { self.init(isInterruption: false) }

    init(isInterruption: Bool) { self.isInterruption = isInterruption }

    /// A shared instance: creating an error allocates memory, which is noticeable when many short runs deadlock.
    static let error: any Error = RunEnded()
    static let interruption: any Error = RunEnded(isInterruption: true)
}
