import Foundation

/// A limited number of connections that threads borrow.
public final class ConnectionPool<Connection: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var free: [Connection]
    private let signalsAlways: Bool

    /// - Parameter signalsAlways: without it the class has its bug.
    public init(_ connections: [Connection], signalsAlways: Bool = false) {
        free = connections
        self.signalsAlways = signalsAlways
    }

    /// Waits for a connection and takes it.
    public func take() -> Connection {
        condition.lock()
        defer { condition.unlock() }
        while free.isEmpty { condition.wait() }
        return free.removeLast()
    }

    /// Returns a connection.
    ///
    /// The bug: "only the first one that comes back can be waited for". When two come back before a waiter runs, the
    /// second waiter is never woken.
    public func give(back connection: Connection) {
        condition.lock()
        defer { condition.unlock() }
        free.append(connection)
        if free.count == 1 || signalsAlways { condition.signal() }
    }
}
