import Authoring

/// A thread that waits for a lock can keep its processor busy, or yield it.
struct SpinOrBlock: WorkingScenario {
    static let name = "spin-or-block"
    static let summary = "A thread waits for a lock whose holder has just lost its processor."
    static let lesson = """
        A spin lock tests again and again until the lock is free. That costs no switch to another thread, so it is \
        quick if the lock is held for a few instructions and its holder runs on another processor. But the processor \
        does nothing else meanwhile. If the holder was interrupted and needs that very processor, and the spinning \
        thread has the higher priority, the holder never runs again, and the lock is never free. A lock that blocks \
        gives the processor up while its thread waits.

        A simulated processor is a mutex here: a thread runs while it holds it. To spin means to wait without \
        releasing it; to block means to release it until the lock is free. What a scheduler does for threads, the \
        scenario does by hand, so that it happens in every run.

        Figures, on real processors: 'run spin-or-block --variant measured --native --rounds 100'. A hand-over is the \
        time from the release of the lock until a waiting thread has it, and a round is the time until all have had \
        it. With a processor for each thread both ways are quick. Add '--waiting 8 --section 1000000': the holder \
        works for about a millisecond, with more threads than processors. Those that spin take its processor from \
        it, and rounds take many times as long as with threads that block.
        """
    static let guide: Guide? = .synchronization("Locks")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case oneProcessor = "one-processor"
        case twoProcessors = "two-processors"
        case blocking
        case twice
        case measured

        var summary: String {
            switch self {
            case .oneProcessor: "the waiting thread spins on the processor that the holder needs"
            case .twoProcessors: "the waiting thread spins on a processor of its own"
            case .blocking: "the waiting thread gives the processor up until the lock is free"
            case .twice: "a thread takes a spin lock that it already holds"
            case .measured: "real processors: how soon a waiting thread has the lock, spinning and blocking"
            }
        }

        var measures: Bool { self == .measured }

        var expectation: Expectation {
            switch self {
            case .oneProcessor: .may(.livelock)
            case .twice: .must(.livelock)
            case .twoProcessors, .blocking, .measured: .completes
            }
        }

        var unusedParameters: Set<String> {
            switch self {
            case .measured: ["absence"]
            case .twice: ["absence", "waiting", "rounds", "section"]
            default: ["waiting", "rounds", "section"]
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.oneProcessor
    @Parameter("how long the holder is without its processor", in: .zero ... .seconds(1))
    var absence = Duration.milliseconds(10)
    @Parameter("number of threads that wait for the measured lock", in: 1...16) var waiting = 1
    @Parameter("how often it is measured", in: 1...200) var rounds = 1
    @Parameter("work of its holder, in units of one to two nanoseconds", in: 1...1_000_000) var section = 100_000
    package var work = Work()

    private static let (low, high) = (5, 25)  // priorities

    var expectedDuration: Duration {
        guard variant == .measured else { return absence }
        // A spinning thread may get the lock only when it has its turn on a processor.
        return (.nanoseconds(section * 4) + .milliseconds(4) * waiting) * rounds * 2
    }
    var expectedSteps: Int { variant == .measured ? rounds * waiting * (waiting + 20) * 4 : 0 }

    func run() throws {
        let processor = Mutex("processor")
        let spin = SpinLock("lock")
        switch variant {
        case .oneProcessor:
            try compete(processor, processor, lock: { try spin.lock() }, unlock: { try spin.unlock() })
        case .twoProcessors:
            let second = Mutex("second processor")
            try compete(processor, second, lock: { try spin.lock() }, unlock: { try spin.unlock() })
        case .blocking:
            let lock = BlockingLock(on: processor)
            try compete(processor, processor, lock: { try lock.lock() }, unlock: { try lock.unlock() })
        case .twice:
            let worker = try Thread("worker") { try spin.withLock { try spin.withLock {} } }
            try worker.join()
        case .measured:
            let mutex = Mutex("mutex")
            try measure("spinning", lock: { try spin.lock() }, unlock: { try spin.unlock() })
            try measure("blocking", lock: { try mutex.lock() }, unlock: { try mutex.unlock() })
        }
    }

    /// The main thread takes the lock, lets the others wait for it, works, and releases it.
    private func measure(
        _ way: String, lock: @escaping @Sendable () throws -> Void, unlock: @escaping @Sendable () throws -> Void
    ) throws {
        let handOver = HandOver()
        let starts = try (0..<waiting).map { _ in try Semaphore("the lock is taken", value: 0) }
        let isOver = try Semaphore("the round is over", value: 0)
        let threads = try starts.map { isTaken in
            try Thread("waiting") {
                for _ in 0..<rounds {
                    try isTaken.wait()
                    try lock()
                    handOver.arrive()
                    try unlock()
                    try isOver.signal()
                }
            }
        }
        var times: [Duration] = []
        var result = 1
        for _ in 0..<rounds {
            let begin = Instant.now
            try lock()
            for isTaken in starts { try isTaken.signal() }
            result = try work.perform(section, from: result)
            handOver.release()
            try unlock()
            for _ in 0..<waiting { try isOver.wait() }
            times.append(Instant.now - begin)
        }
        for thread in threads { try thread.join() }
        try check(result == Work.result(of: section * rounds, from: 1), "the work of \(rounds) rounds was not all done")
        Meter("hand-over, \(way)").record(handOver.times.sorted()[rounds / 2])
        Meter("round, \(way)").record(times.sorted()[rounds / 2])
    }

    /// The time from the release of the lock to its next owner. Used by the thread that has the lock.
    private final class HandOver: @unchecked Sendable {
        private var released: Instant?
        private(set) var times: [Duration] = []

        func release() { released = .now }

        /// Only the first thread to arrive takes over from the holder.
        func arrive() {
            if let released { times.append(Instant.now - released) }
            released = nil
        }
    }

    private func compete(
        _ lowsProcessor: Mutex, _ highsProcessor: Mutex, lock: @escaping @Sendable () throws -> Void,
        unlock: @escaping @Sendable () throws -> Void
    ) throws {
        let isInterrupted = try Semaphore("low is interrupted", value: 0)
        let low = try Thread("low", ThreadAttributes(priority: Self.low)) {
            try lowsProcessor.lock()
            try lock()
            // The other thread gets the processor, while this one holds the lock.
            try lowsProcessor.unlock()
            try isInterrupted.signal()
            try Thread.sleep(for: absence)
            try lowsProcessor.lock()
            try unlock()
            try lowsProcessor.unlock()
        }
        let high = try Thread("high", ThreadAttributes(priority: Self.high)) {
            try isInterrupted.wait()
            try highsProcessor.withLock {
                try lock()
                try unlock()
            }
        }
        try low.join()
        try high.join()
    }
}

/// A lock whose waiting thread releases its simulated processor.
private final class BlockingLock: Sendable {
    private let processor: Mutex
    /// Accessed by threads that have the processor.
    private let isTaken = Shared("the lock is taken", false)
    private let isFree = Condition("the lock is free")

    init(on processor: Mutex) { self.processor = processor }

    func lock() throws {
        while try isTaken.read() { try isFree.wait(with: processor) }
        try isTaken.write(true)
    }

    func unlock() throws {
        try isTaken.write(false)
        try isFree.signal()
    }
}
