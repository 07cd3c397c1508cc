/// A message to a port.
public struct PortMessage: Sendable {
    /// What kind of message it is, as sender and receiver have agreed.
    public let id: Int
    public let content: (any Sendable)?
    /// The port that the sender waits for an answer at.
    public let replyPort: Port?

    public init(_ id: Int = 0, _ content: (any Sendable)? = nil, replyPort: Port? = nil) {
        self.id = id
        self.content = content
        self.replyPort = replyPort
    }
}
