import Machine

/// A thread could not be created: the system's limit is reached (`EAGAIN`), or the attributes are refused (`EINVAL`).
public struct ThreadCreationFailed: Error, Sendable, CustomStringConvertible {
    /// The POSIX error number.
    public let code: Int32
    public let description: String

    /// The run has no number left for another one (`EAGAIN`).
    static let noNumber = Self(
        code: 11,
        "a run starts at most \(MachineState.maximumThreads) threads, and those that have ended keep their numbers")

    /// As many threads exist as may (`EAGAIN`).
    static func limit(_ count: Int) -> Self {
        Self(
            code: 11,
            "the limit of \(count) threads is reached: one that has ended counts until it is joined or detached")
    }

    package init(code: Int32, _ description: String) {
        self.code = code
        self.description = description
    }
}
