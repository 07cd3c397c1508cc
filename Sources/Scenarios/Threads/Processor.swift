import Primitives

/// A simulated processor. After each unit of work, it runs the thread with the highest priority among those with work to
/// do; threads of the same priority take turns.
///
/// Real processors do not guarantee this: there are several of them, and to Linux a priority is only a hint.
final class Processor<User: Hashable & CaseIterable & RawRepresentable & Sendable>: Sendable
where User.RawValue == String {
    private struct Plan {
        /// The priorities of the threads that have work to do.
        var urgencies: [User: Int] = [:]
        var current: User?
        /// The number of units of work that have been done.
        var units = 0
        /// The number of units at the end of each thread's last unit, or when it was registered.
        var lastUnits: [User: Int] = [:]
        let aging: Int

        /// Chooses the thread with the highest priority; of two with the same, the one that has waited longer.
        mutating func choose() {
            let users = User.allCases.filter { urgencies[$0] != nil }
            current = users.max { (urgency(of: $0), waited($0)) < (urgency(of: $1), waited($1)) }
        }

        private func waited(_ user: User) -> Int { units - (lastUnits[user] ?? 0) }

        private func urgency(of user: User) -> Int { (urgencies[user] ?? 0) + aging * waited(user) }
    }

    private let dispatcher = Mutex("dispatcher")
    private let plan: Shared<Plan>
    private let turns: [User: Semaphore]
    private let piece: Duration

    /// - Parameters:
    ///   - piece: the time that a unit of work takes. The processor switches threads only between two units.
    ///   - aging: the increase of a waiting thread's priority for each unit of other work.
    init(piece: Duration, aging: Int = 0) throws {
        self.piece = piece
        plan = Shared("plan", Plan(aging: aging))
        var turns: [User: Semaphore] = [:]
        for user in User.allCases { turns[user] = try Semaphore("\(user.rawValue)'s turn", value: 0) }
        self.turns = turns
    }

    /// Registers the thread as having work to do, and returns when it has the processor.
    ///
    /// - Returns: the number of units of work that had been done when the thread was registered.
    @discardableResult
    func enter(_ user: User, urgency: Int) throws -> Int {
        var before = 0
        let now = try change { plan in
            plan.urgencies[user] = urgency
            plan.lastUnits[user] = plan.units
            before = plan.units
            if plan.current == nil { plan.choose() }
        }
        if now != user { try turns[user]?.wait() }
        return before
    }

    /// The number of units of work that all threads have done.
    func units() throws -> Int { try dispatcher.withLock { try plan.read().units } }

    /// Does a unit of work, and returns when the thread has the processor for the next one.
    func work(_ user: User) throws {
        try Thread.sleep(for: piece)
        let next = try change { plan in
            plan.units += 1
            plan.lastUnits[user] = plan.units
            plan.choose()
        }
        guard let next, next != user else { return }
        try turns[next]?.signal()
        try turns[user]?.wait()
    }

    /// Registers the thread as having no more work to do.
    func leave(_ user: User) throws {
        let next = try change { plan in
            plan.urgencies[user] = nil
            plan.choose()
        }
        if let next { try turns[next]?.signal() }
    }

    /// Changes the priority of a thread that has work to do, from the next unit of work on.
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
