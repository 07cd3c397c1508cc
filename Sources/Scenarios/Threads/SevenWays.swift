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
        answers comes nearest, in `port-check-in`.
        """
    static let guide: Guide? = .basics("Inter-thread Communication")
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case message
        case memory
        case noLock = "no-lock"
        case condition
        case source
        case port
        case queue

        var summary: String {
            switch self {
            case .message: "a direct message: the worker has the main thread's loop make a call"
            case .memory: "shared memory under a lock, at which the main thread looks from time to time"
            case .noLock: "shared memory without a lock"
            case .condition: "shared memory, and a condition that is signaled"
            case .source: "an input source of the main thread's loop"
            case .port: "a port of the main thread's loop"
            case .queue: "a message queue"
            }
        }

        var expectation: Expectation { self == .noLock ? .must(.race) : .completes }

        var unusedParameters: Set<String> { self == .memory || self == .noLock ? [] : ["pause"] }
    }

    @Parameter("variant of the program") var variant = Variant.message
    @Parameter("time between two looks at the memory", in: .milliseconds(1) ... .seconds(1))
    var pause = Duration.milliseconds(5)

    private static let answer = 42

    func run() throws {
        switch variant {
        case .message, .source, .port: try handOverInLoop()
        case .memory: try handOverInMemory(Mutex("result lock"))
        case .noLock: try handOverInMemory(nil)
        case .condition: try handOverWithCondition()
        case .queue: try handOverInQueue()
        }
    }

    private func compute() -> Int {
        note("sends \(Self.answer)")
        return Self.answer
    }

    private func receive(_ result: Int?) throws {
        note("receives \(result ?? 0)")
        try check(result == Self.answer, "a wrong result was received")
    }

    // MARK: - Run loops

    /// Only the main thread reads it, after a call of its loop has written it.
    private final class Inbox: @unchecked Sendable {
        var result: Int?
    }

    private func handOverInLoop() throws {
        let loop = RunLoop.current
        let inbox = Inbox()
        let result = Shared("result", 0)
        let source = InputSource("result source") { inbox.result = try result.read() }
        let port = Port("result port") { inbox.result = $0.id }
        try loop.add(source)
        try loop.add(port)
        let worker = try Thread("worker") {
            let number = compute()
            switch variant {
            case .message: try loop.perform { inbox.result = number }
            case .source:
                try result.write(number)
                try source.signal()
                try loop.wakeUp()
            default: _ = try port.send(PortMessage(number))
            }
        }
        while inbox.result == nil { try loop.run() }
        try receive(inbox.result)
        try worker.join()
    }

    // MARK: - Shared memory

    private func handOverInMemory(_ mutex: Mutex?) throws {
        let result = Shared("result", 0)
        let worker = try Thread("worker") {
            let number = compute()
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
        try receive(received)
        try worker.join()
    }

    private func handOverWithCondition() throws {
        let mutex = Mutex("result lock")
        let isThere = Condition("result is there")
        let result = Shared("result", 0)
        let worker = try Thread("worker") {
            let number = compute()
            try mutex.withLock {
                try result.write(number)
                try isThere.signal()
            }
        }
        let received = try mutex.withLock {
            while try result.read() == 0 { try isThere.wait(with: mutex) }
            return try result.read()
        }
        try receive(received)
        try worker.join()
    }

    private func handOverInQueue() throws {
        let queue = try BoundedQueue<Int>("results", capacity: 1)
        let worker = try Thread("worker") { _ = try queue.put(compute()) }
        try receive(queue.take())
        try worker.join()
    }
}
