import Authoring

/// Threads that hold one lock and want another: the guide's section on deadlocks.
struct Deadlock: Scenario {
    static let name = "deadlock"
    static let summary = "Threads that each hold a lock and wait forever for another thread's lock."
    static let lesson = """
        A thread that holds one lock and waits for a second makes every thread that wants the first wait too. If the \
        waits form a cycle, none of its threads can ever continue. Taking the locks in the same order everywhere \
        makes a cycle impossible; so does releasing the first lock when the second is not free, but that can turn \
        into a livelock if all threads back off in lockstep.
        """
    static let guide: Guide? = .synchronization("Watch Out for Deadlocks and Livelocks")
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case oppositeOrders = "opposite-orders"
        case ordered
        case tryLock = "try-lock"
        case tryLockJitter = "try-lock-jitter"
        case `self`
        case ring
        case philosophers
        case philosophersOrdered = "philosophers-ordered"

        var summary: String {
            switch self {
            case .oppositeOrders: "two threads take the same two locks in opposite orders"
            case .ordered: "two threads take the same two locks in one order"
            case .tryLock: "each releases its first lock when the second is not free, and retries at once"
            case .tryLockJitter: "try-lock, but with a pause of random length, which makes a livelock unlikely"
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
            case .tryLock: .may(.livelock)
            case .tryLockJitter: .completes.orElse(.livelock)
            case .ordered, .philosophersOrdered: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.oppositeOrders
    @Parameter("number of threads in the ring, or of philosophers", in: 2...32) var threads = 3
    @Parameter("pause between taking the first lock and the second", in: .zero ... .seconds(1))
    var pause = Duration.milliseconds(10)
    @Parameter("failed attempts of a thread after which it reports a livelock", in: 1...1000)
    var attempts = 5

    /// Without pauses, a large cycle hardly ever forms; nor do two threads often step aside at the same time.
    var expectation: Expectation {
        switch variant {
        case .ring where pause == .zero && threads > 4, .philosophers where pause == .zero && threads > 4:
            .completes.orElse(.deadlock)
        case .tryLock where attempts > 5: .completes.orElse(.livelock)
        default: variant.expectation
        }
    }

    func run() throws {
        switch variant {
        case .oppositeOrders: try twoThreads(secondTakes: .opposite)
        case .ordered: try twoThreads(secondTakes: .same)
        case .tryLock: try polite(jitter: false)
        case .tryLockJitter: try polite(jitter: true)
        case .self: try alone()
        case .ring: try cycle(of: "thread", locks: "lock", lastTurnsRound: false)
        case .philosophers: try cycle(of: "philosopher", locks: "fork", lastTurnsRound: false)
        case .philosophersOrdered: try cycle(of: "philosopher", locks: "fork", lastTurnsRound: true)
        }
    }

    private enum Order { case same, opposite }

    private func twoThreads(secondTakes order: Order) throws {
        let a = Mutex("a")
        let b = Mutex("b")
        let pause = pause
        let first = try Thread("first") {
            try a.withLock {
                try Self.hold(for: pause)
                try b.withLock {}
            }
        }
        let second = try Thread("second") {
            let (one, other) = order == .same ? (a, b) : (b, a)
            try one.withLock {
                try Self.hold(for: pause)
                try other.withLock {}
            }
        }
        try first.join()
        try second.join()
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

    private func polite(jitter: Bool) throws {
        let a = Mutex("a")
        let b = Mutex("b")
        let first = try Thread("first") { try takeBoth(a, b, jitter: jitter) }
        let second = try Thread("second") { try takeBoth(b, a, jitter: jitter) }
        try first.join()
        try second.join()
    }

    private func takeBoth(_ one: Mutex, _ other: Mutex, jitter: Bool) throws {
        var failures = 0
        while true {
            try one.lock()
            try Self.hold(for: pause)
            if try other.tryLock() {
                try other.unlock()
                try one.unlock()
                return
            }
            try one.unlock()
            note("steps aside")
            failures += 1
            if failures == attempts { throw NoProgress("stepped aside \(failures) times and never got both locks") }
            try Thread.sleep(for: jitter ? pause * choose(8) : pause)
        }
    }
}
