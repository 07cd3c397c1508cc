/// The lab has ended the run: blocking calls throw this so that scenario code unwinds as ordinary Swift does.
///
/// Let it pass. Code that catches it and continues is stopped at its next call, and told so in the trace.
public struct RunEnded: Error, Sendable {
    package init() {}

    /// One for all: to make an error takes memory, and where many short runs deadlock that is felt.
    static let error: any Error = RunEnded()
}
