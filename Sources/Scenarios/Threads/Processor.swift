import Primitives

/// One processor, which is always given to the most urgent of the threads that have work to do.
///
/// No real one keeps this promise: there are several of them, and a priority is a hint to Linux. So the scenario brings its own.
final class Processor: Sendable {
    /// A thread that computes on it.
    enum User: Int { case low, middle }

    private struct Plan {
        /// Of those that have work to do.
        var urgencies: [User: Int] = [:]
        var current: User?

        mutating func choose() { current = urgencies.max { $0.value < $1.value }?.key }
    }

    private let dispatcher = Mutex("dispatcher")
    private let plan = Shared("plan", Plan())
    private let turns: [Semaphore]
    private let piece: Duration

    /// - Parameter piece: how long a piece of work takes. Only between two pieces the processor may go to somebody else.
    init(piece: Duration) throws {
        self.piece = piece
        turns = [try Semaphore("low's turn", value: 0), try Semaphore("middle's turn", value: 0)]
    }

    /// Says that the thread has work to do, and comes back when it has the processor.
    func enter(_ user: User, urgency: Int) throws {
        let now = try change { plan in
            plan.urgencies[user] = urgency
            if plan.current == nil { plan.choose() }
        }
        if now != user { try turns[user.rawValue].wait() }
    }

    /// Does a piece of work, and comes back when the thread has the processor for the next one.
    func work(_ user: User) throws {
        try Thread.sleep(for: piece)
        let next = try change { $0.choose() }
        guard let next, next != user else { return }
        try turns[next.rawValue].signal()
        try turns[user.rawValue].wait()
    }

    /// Says that the thread has no more work to do.
    func leave(_ user: User) throws {
        let next = try change { plan in
            plan.urgencies[user] = nil
            plan.choose()
        }
        if let next { try turns[next.rawValue].signal() }
    }

    /// From the next piece of work on.
    func setUrgency(of user: User, to urgency: Int) throws {
        try change { plan in
            if plan.urgencies[user] != nil { plan.urgencies[user] = urgency }
        }
    }

    /// - Returns: who has the processor now.
    @discardableResult
    private func change(_ body: (inout Plan) -> Void) throws -> User? {
        try dispatcher.withLock {
            var new = try plan.read()
            body(&new)
            try plan.write(new)
            return new.current
        }
    }
}
