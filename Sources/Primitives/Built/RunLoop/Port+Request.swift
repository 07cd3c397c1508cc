import Trace

extension Port {
    /// What became of a request.
    public enum Answer: Sendable {
        case reply(PortMessage)
        /// The port was full until the deadline.
        case sendTimedOut
        /// The message was sent, and no reply came before the deadline.
        case replyTimedOut
        /// The port has been invalidated, before or after the message was sent.
        case gone
    }

    /// Sends a message with a port of its own as the reply port, and runs the calling thread's loop in the mode
    /// `connectionReply` until the reply arrives there (CoreFoundation's `CFMessagePortSendRequest`).
    public func request(
        _ id: Int = 0, _ content: (any Sendable)? = nil, sendBefore: Instant = .distantFuture,
        replyBefore: Instant = .distantFuture, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Answer {
        let received = Guarded<PortMessage?>(nil)
        let reply = Port("reply", file: file, line: line) { received.value = $0 }
        try RunLoop.current.add(reply, to: .connectionReply, file: file, line: line)
        let message = PortMessage(id, content, replyPort: reply)
        let delivery = try send(message, before: sendBefore, file: file, line: line)
        var exit = RunLoop.Exit.handledSource
        var isForsaken = false
        while delivery == .sent && received.value == nil && !isForsaken && exit == .handledSource {
            exit = try RunLoop.current.run(mode: .connectionReply, until: replyBefore, file: file, line: line)
            if received.value == nil { isForsaken = try reply.isForsaken(at: SourceSite(file, line)) }
        }
        try reply.invalidate(file: file, line: line)
        return switch delivery {
        case .sent: received.value.map(Answer.reply) ?? (isForsaken ? .gone : .replyTimedOut)
        case .timedOut: .sendTimedOut
        case .gone: .gone
        }
    }
}
