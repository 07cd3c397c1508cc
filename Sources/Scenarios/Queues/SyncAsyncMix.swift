import Authoring

/// A cache that is read with `sync`, on a queue where an `async` block waits for a thread.
struct SyncAsyncMix: Scenario {
    static let name = "sync-async-mix"
    static let summary = "A cache is read with sync, and each read queues an update of its LRU list with async."
    static let lesson = """
        `async` seems free: it returns at once. But its block needs a thread, and while all threads of the pool are \
        busy with other work it waits. The next `sync` on the same queue needs no thread, since its block runs on \
        the caller's. It waits all the same, because the block before it waits for a thread. On a path that is taken \
        often the queue is a lock that unrelated work can hold up. Do the update in the same `sync`, or use a lock: \
        both only wait for another access.

        Figures: 'run sync-async-mix --variant measured --native --reads 20'. Most reads are quick in all three \
        ways. The slowest one is what a user notices.
        """
    static let guide: Guide? = .classDesign(
        "Pitfalls of GCD", "Mixing dispatch_sync and dispatch_async in Performance Critical Code")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case mixed
        case syncOnly = "sync-only"
        case lock
        case measured

        var summary: String {
            switch self {
            case .mixed: "a read is a sync, and queues the update with async"
            case .syncOnly: "a read and its update are one sync"
            case .lock: "a read and its update hold a lock"
            case .measured: "all three ways, one after the other: how long each read takes"
            }
        }

        var measures: Bool { self == .measured }

        var expectation: Expectation { self == .mixed ? .may(.assertion) : .completes }

        var unusedParameters: Set<String> { self == .measured ? ["limit"] : [] }
    }

    @Parameter("variant of the program") var variant = Variant.mixed
    @Parameter("number of reads", in: 2...100) var reads = 2
    @Parameter("time that other work keeps the pool's thread busy", in: .milliseconds(1) ... .seconds(1))
    var work = Duration.milliseconds(100)
    @Parameter("how long a read may take", in: .milliseconds(1) ... .seconds(1)) var limit = Duration.milliseconds(50)

    var expectedDuration: Duration { work * 3 + limit }

    func run() throws {
        guard variant == .measured else {
            return try read(variant) { number, time in
                note("read \(number) took \(time.readable)")
                try check(time <= limit, "read \(number) took \(time.readable), and may take \(limit.readable)")
            }
        }
        for way in [Variant.mixed, .syncOnly, .lock] {
            let meter = Meter("time of a read, \(way.rawValue)")
            try read(way) { _, time in meter.record(time) }
        }
    }

    /// Reads while other work keeps the thread busy. `measured` first waits until it is busy, so that all ways compare.
    private func read(_ way: Variant, took: (Int, Duration) throws -> Void) throws {
        let pool = try WorkerPool("pool", threads: 1)
        let cache = Cache(way, try WorkQueue("cache", pool: pool))
        let images = try WorkQueue("images", pool: pool)
        let isBusy = try variant == .measured ? Semaphore("the thread is busy", value: 0) : nil
        try images.async {
            try isBusy?.signal()
            try Thread.sleep(for: work)
        }
        try isBusy?.wait()
        for number in 1...reads {
            let begin = Instant.now
            try cache.read()
            try took(number, Instant.now - begin)
        }
        try images.sync {}
    }

    /// Images, and the order in which they were last used.
    private struct Cache: Sendable {
        let variant: Variant
        let queue: WorkQueue
        let lock = Mutex("cache lock")
        let image = Shared("image", 1)
        let lastUse = Shared("last use", 0)

        init(_ variant: Variant, _ queue: WorkQueue) {
            self.variant = variant
            self.queue = queue
        }

        func read() throws {
            switch variant {
            case .mixed:
                _ = try queue.sync { try image.read() }
                try queue.async { try use() }
            case .syncOnly:
                try queue.sync {
                    _ = try image.read()
                    try use()
                }
            case .lock, .measured:
                try lock.withLock {
                    _ = try image.read()
                    try use()
                }
            }
        }

        private func use() throws { try lastUse.write(lastUse.read() + 1) }
    }
}
