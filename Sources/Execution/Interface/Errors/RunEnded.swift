/// threadlab has ended the run: blocking calls throw this so that scenario code unwinds like ordinary Swift code.
///
/// Do not catch it. Code that catches it and continues is stopped at its next call, and the trace records this.
public struct RunEnded: Error, Sendable {
    package init() {}

    /// A shared instance: creating an error allocates memory, which is noticeable when many short runs deadlock.
    static let error: any Error = RunEnded()
}
