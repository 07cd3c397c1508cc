import Execution
import Trace

/// A queue of messages that is a source of a run loop (guide: Port-Based Sources). Any thread can send. The thread
/// whose loop has the port receives one message in each pass. Unlike a signal to a custom source, a message wakes the
/// loop by itself. For a channel in both directions, each side has a port, and sends it to the other as a message's
/// `replyPort`.
public final class Port: Sendable {
    /// The result of sending a message.
    public enum Delivery: String, Sendable {
        case sent
        /// The queue was full until the deadline.
        case timedOut = "timed-out"
        /// The port has been invalidated: it receives no more messages.
        case gone
    }

    let membership = Membership()
    private let limit: Int
    private let handle: Handle
    private let gate: Part
    private let room: Part
    private let body: @Sendable (PortMessage) throws -> Void
    /// Accessed only while `gate` is held.
    private let state = Guarded(State())

    private struct State {
        var messages: [PortMessage] = []
        weak var loop: RunLoop?
        var isGone = false
        /// For a reply port: whether no reply will come, because a port to which a message with this reply port was
        /// sent has been invalidated before it received the message.
        var isForsaken = false
    }

    /// - Parameters:
    ///   - limit: the maximum number of messages in the queue. A sender waits while it is full.
    ///   - receive: runs on the loop's thread, once for each message.
    public init(
        _ name: String? = nil, limit: Int = .max, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (PortMessage) throws -> Void
    ) {
        let site = SourceSite(file, line)
        handle = Handle(.other, shownAs: .port, name, at: site)
        gate = Part(lockOf: name ?? "port", handle.object, at: site)
        room = Part(.condition, "room in \(name ?? "port")", at: site)
        self.limit = max(1, limit)
        body = receive
    }

    /// Whether it can receive: false once it has been invalidated. Only for the loop's own thread: other threads learn
    /// it when they send.
    public var isValid: Bool { membership.isValid }

    /// Puts the message into the port's queue, and wakes the port's loop if that runs in a mode of the port. Waits
    /// while the queue is full, until the deadline at the latest. The port need not be in a loop yet.
    @discardableResult
    public func send(
        _ message: PortMessage, before deadline: Instant = .distantFuture, file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Delivery {
        let site = SourceSite(file, line)
        return try gate.withLock(at: site) {
            while state.value.messages.count >= limit && !state.value.isGone {
                guard try room.wait(with: gate, until: deadline, at: site) else { return .timedOut }
            }
            if state.value.isGone { return .gone }
            state.value.messages.append(message)
            handle.record(.portSend, message.id, at: site)
            try state.value.loop?.noteArrival(at: self, from: site)
            return .sent
        }
    }

    /// Removes the port from every mode of its loop, and discards the messages that have not been received, which the
    /// trace notes. From now on, senders learn that the port is gone, including those that wait for room or for a
    /// reply.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func invalidate(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try membership.checkThread(at: site)
        // The messages are released after the lock, because their deinitializers may need the lock.
        let discarded = try gate.withLock(at: site) {
            state.value.isGone = true
            defer { state.value.messages = [] }
            try room.broadcast(at: site)
            return state.value.messages
        }
        try leaveForGood(at: site)
        if !discarded.isEmpty {
            let count = discarded.count == 1 ? "1 message" : "\(discarded.count) messages"
            handle.with { $0.record(.note, 0, text: "discards \(count) of an invalidated port", at: site) }
        }
        for message in discarded { try message.replyPort?.forsake(at: site) }
    }

    /// Notes that no reply to this reply port will come, and wakes its loop as if for a message.
    private func forsake(at site: SourceSite) throws {
        try gate.withLock(at: site) {
            state.value.isForsaken = true
            try state.value.loop?.noteArrival(at: self, from: site)
        }
    }

    func isForsaken(at site: SourceSite) throws -> Bool { try gate.withLock(at: site) { state.value.isForsaken } }

    /// Receives the first message.
    func receive(at site: SourceSite) throws {
        let message: PortMessage? = try gate.withLock(at: site) {
            guard !state.value.messages.isEmpty else { return nil }
            let message = state.value.messages.removeFirst()
            handle.record(.portReceive, message.id, at: site)
            if limit < .max { try room.signal(at: site) }
            return message
        }
        if let message { try body(message) }
    }
}

extension Port {
    fileprivate func record(_ remark: Remark, _ name: String, at site: SourceSite) {
        handle.record(remark, text: name, at: site)
    }
}

extension Port: LoopItem {
    static var list: WritableKeyPath<ModeItems, [Port]> { \.ports }
    func record(_ remark: Remark, at site: SourceSite) { handle.record(remark, at: site) }

    func wasAdded(to loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) throws {
        guard membership.modes.count == 1 else { return }
        try gate.withLock(at: site) {
            state.value.loop = loop
            for _ in state.value.messages { try loop.noteArrival(at: self, from: site) }
        }
    }

    func wasRemoved(from loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) throws {
        guard membership.modes.isEmpty else { return }
        try gate.withLock(at: site) {
            state.value.loop = nil
            try loop.forgetArrivals(at: self, from: site)
        }
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let portSend = Remark(
        "port.send", "send {value} to {object}", value: .number,
        says: "A message of this kind was put into the port's queue")
    fileprivate static let portReceive = Remark(
        "port.receive", "receive {value} from {object}", value: .number,
        says: "The message was taken from it")
    fileprivate static let portRegister = Remark(
        "port.register", "call {object} '{value}'", value: .text,
        says: "The port can be found under this name")
    fileprivate static let portLookUp = Remark(
        "port.look-up", "find {object} by '{value}'", value: .text,
        says: "The port was found under this name")
}

/// A message to a port.
public struct PortMessage: Sendable {
    /// The kind of message, on which sender and receiver have agreed.
    public let id: Int
    public let content: (any Sendable)?
    /// The port at which the sender waits for an answer.
    public let replyPort: Port?

    public init(_ id: Int = 0, _ content: (any Sendable)? = nil, replyPort: Port? = nil) {
        self.id = id
        self.content = content
        self.replyPort = replyPort
    }
}

extension Port {
    /// The result of a request.
    public enum Answer: Sendable {
        case reply(PortMessage)
        /// The port was full until the deadline.
        case sendTimedOut
        /// The message was sent, and no reply came before the deadline, or before the loop was stopped.
        case replyTimedOut
        /// The port has been invalidated, before or after the message was sent.
        case gone
    }

    /// Sends a message with a new reply port, and runs the calling thread's loop in the mode `connectionReply` until
    /// the reply arrives (CoreFoundation's `CFMessagePortSendRequest`).
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

/// Names by which threads find each other's ports (guide: Configuring a Port-Based Input Source; Foundation's
/// `MessagePortNameServer`). Built on a mutex and a condition.
public final class MessagePortNameServer: Sendable {
    private let gate: Part
    private let changed: Part
    /// Accessed only while `gate` is held.
    private let ports = Guarded<[String: Port]>([:])

    public init(_ name: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        let site = SourceSite(file, line)
        gate = Part(lockOf: name ?? "port names", at: site)
        changed = Part(.condition, name ?? "port names", at: site)
        gate.belong(to: changed.handle.object)
    }

    /// Gives the port this name.
    ///
    /// - Returns: false if a port has it already.
    public func register(
        _ port: Port, as name: String, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        let site = SourceSite(file, line)
        return try gate.withLock(at: site) {
            guard ports.value[name] == nil else { return false }
            ports.value[name] = port
            port.record(.portRegister, name, at: site)
            try changed.broadcast(at: site)
            return true
        }
    }

    /// Frees the name. The port itself does not change.
    public func remove(_ name: String, file: StaticString = #fileID, line: UInt = #line) throws {
        // This may be the last reference to the port. It is released after the lock, because the receiver's
        // deinitializers may need the lock.
        _ = try gate.withLock(at: SourceSite(file, line)) { ports.value.removeValue(forKey: name) }
    }

    /// Waits until a port has this name, until the deadline at the latest. By default it does not wait.
    ///
    /// - Returns: nil if no port has the name.
    public func port(
        named name: String, until deadline: Instant = .distantPast, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Port? {
        let site = SourceSite(file, line)
        return try gate.withLock(at: site) {
            while ports.value[name] == nil && deadline != .distantPast {
                guard try changed.wait(with: gate, until: deadline, at: site) else { break }
            }
            ports.value[name]?.record(.portLookUp, name, at: site)
            return ports.value[name]
        }
    }
}
