/// A thread could not be created: the system's limit is reached (`EAGAIN`), or the attributes are refused (`EINVAL`).
public struct ThreadCreationFailed: Error, Sendable, CustomStringConvertible {
    /// The POSIX error number.
    public let code: Int32
    public let description: String

    package init(code: Int32, _ description: String) {
        self.code = code
        self.description = description
    }
}
