import Authoring

/// Threads that hold one lock and want another: the guide's section on deadlocks.
struct Deadlock: Scenario {
    static let name = "deadlock"
    static let summary = "Threads that each hold a lock and wait forever for another thread's lock."
    static let lesson = """
        A thread that holds one lock and waits for a second makes every thread that wants the first wait too. If the \
        waits form a cycle, none of its threads can ever continue. The first cure is to hold one lock at a time: a \
        thread that waits then holds nothing that others wait for. That is not possible if what two locks protect \
        has to change together. Then taking the locks in the same order everywhere makes a cycle impossible; so does releasing the first lock when the second is not free, but that can turn \
        into a livelock if all threads back off in step: every one of them works, and none gets ahead.

        In `try-lock` and `change-sides` a barrier keeps the two threads in step, as two processors of the same speed \
        would: what is bad luck otherwise happens in every run.
        """
    static let guide: Guide? = .synchronization("Watch Out for Deadlocks and Livelocks")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case oppositeOrders = "opposite-orders"
        case oneAtATime = "one-at-a-time"
        case ordered
        case tryLock = "try-lock"
        case changeSides = "change-sides"
        case tryLockJitter = "try-lock-jitter"
        case `self`
        case ring
        case philosophers
        case philosophersOrdered = "philosophers-ordered"

        var summary: String {
            switch self {
            case .oppositeOrders: "two threads take the same two locks in opposite orders"
            case .oneAtATime: "each releases its first lock before it takes the second"
            case .ordered: "two threads take the same two locks in one order"
            case .tryLock: "each releases its first lock when the second is not free, and retries at once"
            case .changeSides: "each gives up its first lock for the second, then wants the first one back"
            case .tryLockJitter: "like try-lock, but not in step: each retries after a pause of random length"
            case .self: "one thread takes a lock that it already holds"
            case .ring: "each of n threads takes its own lock and then its neighbor's"
            case .philosophers: "n philosophers take the left fork, then the right one"
            case .philosophersOrdered: "the last philosopher takes the right fork first"
            }
        }

        var expectation: Expectation {
            switch self {
            case .oppositeOrders, .ring, .philosophers: .may(.deadlock)
            case .self: .must(.deadlock)
            case .tryLock, .changeSides: .must(.livelock)
            case .tryLockJitter: .completes.orElse(.livelock)
            case .oneAtATime, .ordered, .philosophersOrdered: .completes
            }
        }

        var unusedParameters: Set<String> {
            switch self {
            case .oppositeOrders, .oneAtATime, .ordered: ["threads", "attempts"]
            case .tryLock, .changeSides: ["threads", "pause"]
            case .tryLockJitter: ["threads"]
            case .self: ["threads", "pause", "attempts"]
            case .ring, .philosophers, .philosophersOrdered: ["attempts"]
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.oppositeOrders
    @Parameter("number of threads in the ring, or of philosophers", in: 2...32) var threads = 3
    @Parameter(
        "pause between taking two locks; with jitter, the unit of the pause before a retry", in: .zero ... .seconds(1))
    var pause = Duration.milliseconds(10)
    @Parameter("failed attempts of a thread after which it reports a livelock", in: 1...1000)
    var attempts = 3

    /// Without pauses, a large cycle hardly ever forms.
    var expectation: Expectation {
        switch variant {
        case .ring where pause == .zero && threads > 4, .philosophers where pause == .zero && threads > 4:
            .completes.orElse(.deadlock)
        default: variant.expectation
        }
    }

    var expectedDuration: Duration { variant == .tryLockJitter ? pause * 100 : pause * 2 }

    func run() throws {
        switch variant {
        case .oppositeOrders: try twoThreads(secondTakes: .opposite)
        case .oneAtATime: try twoThreads(secondTakes: .opposite, nested: false)
        case .ordered: try twoThreads(secondTakes: .same)
        case .tryLock: try inStep(changingSides: false)
        case .changeSides: try inStep(changingSides: true)
        case .tryLockJitter: try withJitter()
        case .self: try alone()
        case .ring: try cycle(of: "thread", locks: "lock", lastTurnsRound: false)
        case .philosophers: try cycle(of: "philosopher", locks: "fork", lastTurnsRound: false)
        case .philosophersOrdered: try cycle(of: "philosopher", locks: "fork", lastTurnsRound: true)
        }
    }

    private enum Order { case same, opposite }

    private func twoThreads(secondTakes order: Order, nested isNested: Bool = true) throws {
        let a = Mutex("a")
        let b = Mutex("b")
        let first = try Thread("first") { try take(a, b, nested: isNested) }
        let second = try Thread("second") {
            let (one, other) = order == .same ? (a, b) : (b, a)
            try take(one, other, nested: isNested)
        }
        try first.join()
        try second.join()
    }

    /// - Parameter isNested: whether the first lock is held while the second is taken.
    private func take(_ one: Mutex, _ other: Mutex, nested isNested: Bool) throws {
        try one.withLock {
            try Self.hold(for: pause)
            if isNested { try other.withLock {} }
        }
        if !isNested { try other.withLock {} }
    }

    /// Makes the unlucky interleaving likely on real threads.
    private static func hold(for pause: Duration) throws {
        if pause > .zero { try Thread.sleep(for: pause) }
    }

    private func alone() throws {
        let a = Mutex("a")
        let only = try Thread("only") {
            try a.withLock {
                try a.withLock {}
            }
        }
        try only.join()
    }

    private func cycle(of people: String, locks: String, lastTurnsRound: Bool) throws {
        let count = threads
        let forks = (1...count).map { Mutex("\(locks) \($0)") }
        let diners = try (0..<count).map { seat in
            try Thread("\(people) \(seat + 1)") {
                var (left, right) = (forks[seat], forks[(seat + 1) % count])
                if lastTurnsRound && seat == count - 1 { swap(&left, &right) }
                try left.withLock {
                    try Self.hold(for: pause)
                    try right.withLock {}
                }
            }
        }
        for diner in diners { try diner.join() }
    }

    /// Two threads that always do the same at the same time.
    private func inStep(changingSides: Bool) throws {
        let a = Mutex("a")
        let b = Mutex("b")
        let step = try Barrier("step", parties: 2)
        let first = try Thread("first") { try takeBoth(a, b, inStep: step, changingSides: changingSides) }
        let second = try Thread("second") { try takeBoth(b, a, inStep: step, changingSides: changingSides) }
        try first.join()
        try second.join()
    }

    private func takeBoth(_ one: Mutex, _ other: Mutex, inStep step: Barrier, changingSides: Bool) throws {
        var (one, other) = (one, other)
        for failures in 1...attempts {
            try one.lock()
            // Each now has its first lock …
            try step.wait()
            if try other.tryLock() {
                try other.unlock()
                try one.unlock()
                return
            }
            // … and now each knows that the second is taken.
            try step.wait()
            try one.unlock()
            note("steps aside")
            if failures == attempts { try giveUp() }
            if changingSides { swap(&one, &other) }
        }
    }

    private func giveUp() throws -> Never {
        throw NoProgress("stepped aside \(attempts) times and never got both locks")
    }

    private func withJitter() throws {
        let a = Mutex("a")
        let b = Mutex("b")
        let first = try Thread("first") { try takeBothWithJitter(a, b) }
        let second = try Thread("second") { try takeBothWithJitter(b, a) }
        try first.join()
        try second.join()
    }

    private func takeBothWithJitter(_ one: Mutex, _ other: Mutex) throws {
        for failures in 1...attempts {
            try one.lock()
            try Self.hold(for: pause)
            if try other.tryLock() {
                try other.unlock()
                try one.unlock()
                return
            }
            try one.unlock()
            note("steps aside")
            if failures == attempts { try giveUp() }
            try Thread.sleep(for: pause * choose(8))
        }
    }
}
