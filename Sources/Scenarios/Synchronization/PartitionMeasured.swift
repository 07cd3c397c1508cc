import Authoring

/// How long counting takes with one lock, with several, and without any.
struct PartitionMeasured: WorkingScenario {
    static let name = "partition-measured"
    static let summary = "Threads count: with one lock, with a lock each, and each for itself. Measured."
    static let lesson = """
        Threads that count to one total wait for each other at its lock, so that more threads do not count faster. \
        With a total and a lock for each they wait no longer, but still pay for the lock. Best is to share nothing: \
        each thread counts in a variable of its own, and the sums are added when all have ended. Under the scheduler \
        time stands still, so run it on real threads, with enough to count for threads to meet: \
        'run partition-measured --native --additions 10000'.

        The figure shows that to share nothing is hundreds of times faster. It does not show which of the two ways \
        with locks is better: threadlab records each lock, unlock, read and write, which takes far longer than the \
        addition, and longer than a wait for the other thread's section. What a lock costs without a record, free and \
        contended, is in 'threadlab costs'.
        """
    static let guide: Guide? = .synchronization("Avoid Synchronization Altogether")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case compare
        case oneLock = "one-lock"
        case striped
        case ownParts = "own-parts"
        case noLock = "no-lock"

        var summary: String {
            switch self {
            case .compare: "all three ways, one after the other"
            case .oneLock: "one total with one lock"
            case .striped: "a total with a lock for each thread"
            case .ownParts: "each thread counts for itself, and returns its sum"
            case .noLock: "one total, without a lock: fast, and wrong"
            }
        }

        var measures: Bool { self == .compare }

        var expectation: Expectation { self == .noLock ? .must(.race).orElse(.assertion) : .completes }
    }

    @Parameter("variant of the program") var variant = Variant.compare
    @Parameter("number of threads", in: 2...8) var threads = 2
    @Parameter("number of additions per thread", in: 1...10_000) var additions = 2
    package var work = Work()

    var expectedSteps: Int { threads * additions * 10 }

    func run() throws {
        if variant == .compare || variant == .oneLock {
            try measure("one lock") { try countWithLocks(1) }
        }
        if variant == .compare || variant == .striped {
            try measure("a lock for each") { try countWithLocks(threads) }
        }
        if variant == .compare || variant == .ownParts {
            try measure("each for itself") { try countApart() }
        }
        if variant == .noLock { try measure("no lock") { try countWithLocks(0) } }
    }

    private func measure(_ way: String, _ count: () throws -> Int) throws {
        let total = try Meter("time, \(way)").time(count)
        if variant == .noLock { return note("the total is \(total)") }
        try check(total == threads * additions, "the total is \(total)")
    }

    /// Uses one total for each lock, or a single total without locks.
    private func countWithLocks(_ count: Int) throws -> Int {
        let locks = (0..<count).map { Mutex("lock \($0)") }
        let totals = (0..<max(1, count)).map { Shared("total \($0)", 0) }
        let counters = try (0..<threads).map { index in
            try Thread("counter") {
                let total = totals[index % totals.count]
                for _ in 0..<additions {
                    if locks.isEmpty {
                        try total.update { $0 + 1 }
                    } else {
                        try locks[index % locks.count].withLock { try total.update { $0 + 1 } }
                    }
                }
            }
        }
        for counter in counters { try counter.join() }
        return try totals.reduce(0) { try $0 + $1.read() }
    }

    private func countApart() throws -> Int {
        let counters = try (0..<threads).map { _ in
            try Thread.returning("counter") { work.count(to: additions) }
        }
        return try counters.reduce(0) { try $0 + $1.join() }
    }
}
