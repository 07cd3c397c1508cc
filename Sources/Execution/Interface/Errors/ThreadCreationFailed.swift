import Machine

/// A thread could not be created: the system's limit is reached (`EAGAIN`), or the attributes are refused (`EINVAL`).
public struct ThreadCreationFailed: Error, Sendable, CustomStringConvertible {
    /// The POSIX error number.
    public let code: Int32
    public let description: String

    /// The run has no number left for another one (`EAGAIN`).
    static let tooMany = Self(
        code: 11, "a run has at most \(MachineState.maximumThreads) threads, and those that have ended count too")

    package init(code: Int32, _ description: String) {
        self.code = code
        self.description = description
    }
}
