import Primitives

/// A simulated processor, which always runs the thread with the highest priority among those that have work to do.
///
/// Real processors do not guarantee this: there are several of them, and to Linux a priority is only a hint.
final class Processor: Sendable {
    /// A thread that computes on it.
    enum User: Int { case low, middle }

    private struct Plan {
        /// The priorities of the threads that have work to do.
        var urgencies: [User: Int] = [:]
        var current: User?

        /// The thread with the highest priority; of two with the same, the middle one.
        mutating func choose() {
            current = urgencies.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
        }
    }

    private let dispatcher = Mutex("dispatcher")
    private let plan = Shared("plan", Plan())
    private let turns: [Semaphore]
    private let piece: Duration

    /// - Parameters:
    ///   - piece: the time that a unit of work takes. The processor switches threads only between two units.
    ///   - low: what the thread with the low priority is called in traces.
    ///   - middle: the same for the other one.
    init(piece: Duration, low: String = "low", middle: String = "middle") throws {
        self.piece = piece
        turns = [try Semaphore("\(low)'s turn", value: 0), try Semaphore("\(middle)'s turn", value: 0)]
    }

    /// Registers the thread as having work to do, and returns when it has the processor.
    func enter(_ user: User, urgency: Int) throws {
        let now = try change { plan in
            plan.urgencies[user] = urgency
            if plan.current == nil { plan.choose() }
        }
        if now != user { try turns[user.rawValue].wait() }
    }

    /// Does a unit of work, and returns when the thread has the processor for the next one.
    func work(_ user: User) throws {
        try Thread.sleep(for: piece)
        let next = try change { $0.choose() }
        guard let next, next != user else { return }
        try turns[next.rawValue].signal()
        try turns[user.rawValue].wait()
    }

    /// Registers the thread as having no more work to do.
    func leave(_ user: User) throws {
        let next = try change { plan in
            plan.urgencies[user] = nil
            plan.choose()
        }
        if let next { try turns[next.rawValue].signal() }
    }

    /// Takes effect with the next unit of work.
    func setUrgency(of user: User, to urgency: Int) throws {
        try change { plan in
            if plan.urgencies[user] != nil { plan.urgencies[user] = urgency }
        }
    }

    /// - Returns: the thread that has the processor now.
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
