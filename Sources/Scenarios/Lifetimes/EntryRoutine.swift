import Authoring

/// A thread's entry routine: it sets up, works in rounds, and cleans up.
struct EntryRoutine: Scenario {
    static let name = "entry-routine"
    static let summary = "A thread makes an object in each round, and leaves it to a pool that may not exist."
    static let lesson = """
        A thread's entry routine begins with what the work needs, and gives it back on every return path. The last \
        line is not on every path: an error, an early return or an exit does not reach it. A `defer` block is run by \
        all of them. It is run by an exit because `Thread.exit` throws an error that unwinds the routine; C's \
        `pthread_exit` ends the thread without running Swift's `defer` blocks.

        Objects that are left to a pool are released when the pool is drained. Without a pool they never are. One pool \
        for the thread's life keeps all objects until the thread ends: with each round there is one more. A pool for \
        each round keeps those of one round.

        Figures: 'run entry-routine --variant measured --native --rounds 60', with objects of 1 MB.
        """
    static let guide: Guide? = .threads("Writing Your Thread Entry Routine")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case noPool = "no-pool"
        case onePool = "one-pool"
        case poolPerRound = "pool-per-round"
        case cleanupAtEnd = "cleanup-at-end"
        case cleanupScoped = "cleanup-scoped"
        case measured

        var summary: String {
            switch self {
            case .noPool: "the thread has no pool"
            case .onePool: "one pool for the thread's life: objects accumulate"
            case .poolPerRound: "a pool for each round"
            case .cleanupAtEnd: "the last line of the routine cleans up, and an early return or an exit skips it"
            case .cleanupScoped: "a defer block cleans up on every return path"
            case .measured: "one pool, then a pool for each round: memory in use over time"
            }
        }

        var measures: Bool { self == .measured }

        var expectation: Expectation {
            switch self {
            case .noPool: .must(.leak)
            case .onePool: .must(.assertion)
            case .cleanupAtEnd: .may(.leak)
            case .poolPerRound, .cleanupScoped, .measured: .completes
            }
        }

        var guide: Guide? {
            switch self {
            case .noPool, .onePool, .poolPerRound, .measured: .threads("Creating an Autorelease Pool")
            case .cleanupAtEnd, .cleanupScoped: nil
            }
        }

        var unusedParameters: Set<String> {
            switch self {
            case .noPool, .onePool, .poolPerRound, .measured: []
            case .cleanupAtEnd, .cleanupScoped: ["rounds"]
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.noPool
    @Parameter("number of rounds", in: 2...1000) var rounds = 3

    func run() throws {
        let worker = try Thread("worker") {
            switch variant {
            case .noPool: try work(inPools: false)
            case .onePool: try withAutoreleasePool { try work(inPools: false) }
            case .poolPerRound: try work(inPools: true)
            case .cleanupAtEnd:
                let buffer = ManagedObject("buffer")
                if try leave() { return }
                try buffer.release()
            case .cleanupScoped:
                let buffer = ManagedObject("buffer")
                // A defer block cannot throw, and this release cannot fail: the reference is the routine's own.
                defer { try? buffer.release() }
                if try leave() { return }
            case .measured:
                try withAutoreleasePool { try work(inPools: false, Meter("memory, one pool")) }
                try work(inPools: true, Meter("memory, a pool for each round"))
            }
        }
        try worker.join()
    }

    private func work(inPools hasPools: Bool, _ meter: Meter? = nil) throws {
        let alive = Atomic("objects alive", 0)
        for _ in 1...rounds {
            if hasPools { try withAutoreleasePool { try round(alive, meter) } } else { try round(alive, meter) }
        }
        let most = try alive.load()
        try check(variant != .onePool || most < rounds, "\(most) objects are alive after \(rounds) rounds")
    }

    /// The simulated size of an object, which allocates nothing.
    private static let size = 1 << 20

    private func round(_ alive: Atomic<Int>, _ meter: Meter?) throws {
        let object = ManagedObject("object") {
            let rest = try alive.add(-1) - 1
            meter?.record(bytes: rest * Self.size)
        }
        let count = try alive.add(1) + 1
        meter?.record(bytes: count * Self.size)
        try object.autorelease()
    }

    /// Continues, returns early or exits, as the schedule chooses.
    ///
    /// - Returns: whether the routine returns early.
    private func leave() throws -> Bool {
        switch try choose(3) {
        case 0: return false
        case 1: return true
        default: try Thread.exit(with: 1)
        }
    }
}
