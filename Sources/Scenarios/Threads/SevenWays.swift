import Authoring

/// One result, handed from a worker to the main thread in each of the ways that the guide lists.
struct SevenWays: Scenario {
    static let name = "seven-ways"
    static let summary = "A worker computes a number, and hands it to the main thread in one of the guide's ways."
    static let lesson = """
        The guide lists seven ways in which threads communicate, in order of increasing complexity: direct messages, \
        shared memory, conditions, input sources of a run loop, ports, message queues, and distributed objects. Each \
        variant hands over the same number. In each trace the worker sends it, the main thread receives it, and \
        something in between makes the main thread wait and puts the two in order. Compare what that is, and how \
        many steps it takes.

        The simplest that is enough is the best. Shared memory needs a lock, and tells no thread that something has \
        changed; a condition tells it. A loop can watch for several things at once, and a queue keeps several \
        results. Distributed objects hand over between processes, and do not exist here: a port that is asked and \
        answers comes nearest, in `port-check-in`. Sockets, which the guide lists with ports, connect processes and \
        machines: what arrives, and when, is up to the system, so the scheduler could not decide it. Within a process \
        a port does the same.

        Figures, the median time of a delivery in each way: 'run seven-ways --variant measured --native --deliveries \
        100 --pause 100us'. Looking at memory from time to time takes about as long as the pause.
        """
    static let guide: Guide? = .basics("Inter-thread Communication")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case message
        case memory
        case noLock = "no-lock"
        case condition
        case source
        case port
        case queue
        case measured

        var summary: String {
            switch self {
            case .message: "a direct message: the worker has the main thread's loop make a call"
            case .memory: "shared memory under a lock, at which the main thread looks from time to time"
            case .noLock: "shared memory without a lock"
            case .condition: "shared memory, and a condition that is signaled"
            case .source: "an input source of the main thread's loop"
            case .port: "a port of the main thread's loop"
            case .queue: "a message queue"
            case .measured: "all of them with a lock, one after the other: how long a delivery takes"
            }
        }

        var measures: Bool { self == .measured }

        var expectation: Expectation { self == .noLock ? .must(.race) : .completes }

        var unusedParameters: Set<String> {
            switch self {
            case .measured: []
            case .memory, .noLock: ["deliveries"]
            default: ["pause", "deliveries"]
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.message
    @Parameter("time between two looks at the memory", in: .microseconds(100) ... .seconds(1))
    var pause = Duration.milliseconds(5)
    @Parameter("deliveries in each way that is measured", in: 1...100) var deliveries = 1

    private static let answer = 42

    var expectedDuration: Duration { pause * deliveries * 2 }

    func run() throws {
        guard variant == .measured else {
            _ = try deliver(variant)
            return
        }
        for way in Variant.allCases where way != .noLock && way != .measured {
            let times = try (0..<deliveries).map { _ in try deliver(way) }.sorted()
            Meter("time, \(way.rawValue)").record(times[times.count / 2])
        }
    }

    /// - Returns: the time from sending to receiving.
    private func deliver(_ way: Variant) throws -> Duration {
        let trip = Trip()
        switch way {
        case .message, .source, .port: try handOverInLoop(way, trip)
        case .memory, .measured: try handOverInMemory(Mutex("result lock"), trip)
        case .noLock: try handOverInMemory(nil, trip)
        case .condition: try handOverWithCondition(trip)
        case .queue: try handOverInQueue(trip)
        }
        return trip.arrival - trip.departure
    }

    /// The times at which the number is sent and received. The worker writes `departure`, the main thread `arrival`.
    /// Both are read after the worker has ended.
    private final class Trip: @unchecked Sendable {
        var departure = Instant.distantPast
        var arrival = Instant.distantPast
    }

    private func compute(_ trip: Trip) -> Int {
        note("sends \(Self.answer)")
        trip.departure = .now
        return Self.answer
    }

    private func receive(_ result: Int?, _ trip: Trip) throws {
        trip.arrival = .now
        note("receives \(result ?? 0)")
        try check(result == Self.answer, "a wrong result was received")
    }

    // MARK: - Run loops

    /// The number that was received. Only the main thread uses it, in calls of its loop and between them.
    private final class Inbox: @unchecked Sendable {
        var result: Int?
    }

    private func handOverInLoop(_ way: Variant, _ trip: Trip) throws {
        let loop = RunLoop.current
        let inbox = Inbox()
        let result = Shared("result", 0)
        let source = InputSource("result source") { inbox.result = try result.read() }
        let port = Port("result port") { inbox.result = $0.id }
        try loop.add(source)
        try loop.add(port)
        let worker = try Thread("worker") {
            let number = compute(trip)
            switch way {
            case .message: try loop.perform { inbox.result = number }
            case .source:
                try result.write(number)
                try source.signal()
                try loop.wakeUp()
            default: _ = try port.send(PortMessage(number))
            }
        }
        while inbox.result == nil { try loop.run() }
        try receive(inbox.result, trip)
        try worker.join()
        guard variant == .measured else { return }
        // The next delivery has its own source and port.
        try source.invalidate()
        try port.invalidate()
    }

    // MARK: - Shared memory

    private func handOverInMemory(_ mutex: Mutex?, _ trip: Trip) throws {
        let result = Shared("result", 0)
        let worker = try Thread("worker") {
            let number = compute(trip)
            try mutex?.lock()
            try result.write(number)
            try mutex?.unlock()
        }
        var received = 0
        while received == 0 {
            try mutex?.lock()
            received = try result.read()
            try mutex?.unlock()
            if received == 0 { try Thread.sleep(for: pause) }
        }
        try receive(received, trip)
        try worker.join()
    }

    private func handOverWithCondition(_ trip: Trip) throws {
        let mutex = Mutex("result lock")
        let isThere = Condition("result is there")
        let result = Shared("result", 0)
        let worker = try Thread("worker") {
            let number = compute(trip)
            try mutex.withLock {
                try result.write(number)
                try isThere.signal()
            }
        }
        let received = try mutex.withLock {
            while try result.read() == 0 { try isThere.wait(with: mutex) }
            return try result.read()
        }
        try receive(received, trip)
        try worker.join()
    }

    private func handOverInQueue(_ trip: Trip) throws {
        let queue = try BoundedQueue<Int>("results", capacity: 1)
        let worker = try Thread("worker") { _ = try queue.put(compute(trip)) }
        try receive(queue.take(), trip)
        try worker.join()
    }
}
