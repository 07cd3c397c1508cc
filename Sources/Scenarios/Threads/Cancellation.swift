import Authoring

/// A worker that is asked to end before its work is done: the guide's `threadMainRoutine`.
struct Cancellation: Scenario {
    static let name = "cancellation"
    static let summary = "A thread is asked to exit early, and exits between two chunks of its work."
    static let lesson = """
        A thread that is killed cannot clean up; a thread that is asked to exit can. It works in chunks, checks after \
        each one whether it should exit, and then returns by itself, so it notices the request after at most one \
        chunk. In the guide's version the request is an input source of the worker's run loop, whose handler sets a \
        flag in the worker's thread dictionary, which no other thread can access. An atomic flag works too. A plain \
        flag is a data race: nothing guarantees when, or whether, the worker sees it.

        What to try: longer chunks, with `--chunk 50ms`, and a request that comes too late, with `--request-after \
        1s`. Figures: 'run cancellation --variant measured --native'. The longer the chunks, the later the thread exits.
        """
    static let guide: Guide? = .threads("Terminating a Thread")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case dictionary
        case atomicFlag = "atomic-flag"
        case neverChecks = "never-checks"
        case plainFlag = "plain-flag"
        case measured

        var summary: String {
            switch self {
            case .dictionary: "a run loop source sets ThreadShouldExitNow in the worker's thread dictionary"
            case .atomicFlag: "the main thread sets an atomic flag"
            case .neverChecks: "the source's handler sets the flag, but the worker never checks it"
            case .plainFlag: "the main thread sets a flag in plain memory while the worker reads it"
            case .measured: "the time from the request to the exit, for chunks of three lengths"
            }
        }

        var measures: Bool { self == .measured }

        var expectation: Expectation {
            switch self {
            case .dictionary, .atomicFlag, .measured: .completes
            case .neverChecks: .must(.assertion)
            case .plainFlag: .must(.race)
            }
        }

        var unusedParameters: Set<String> { self == .measured ? ["chunks", "request-after"] : [] }

        var guide: Guide? {
            switch self {
            case .dictionary: .threads("Configuring Thread-Local Storage")
            case .atomicFlag: .synchronization("Using Atomic Operations")
            case .neverChecks, .measured: nil
            case .plainFlag: .synchronization("Memory Barriers and Volatile Variables")
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.dictionary
    @Parameter("time the worker takes for one chunk", in: .zero ... .seconds(10))
    var chunk = Duration.milliseconds(10)
    @Parameter("number of chunks", in: 1...1000) var chunks = 10
    @Parameter("time after which the main thread asks the worker to exit", in: .zero ... .seconds(60))
    var requestAfter = Duration.milliseconds(25)

    /// A worker that never checks does no harm if the request comes when it has nearly finished.
    var expectation: Expectation {
        let lastCall = chunk * (chunks - 2)
        guard variant == .neverChecks && (requestAfter >= lastCall || chunks == 1) else { return variant.expectation }
        return chunks > 1 && requestAfter == lastCall ? .may(.assertion) : .completes
    }

    var expectedDuration: Duration {
        switch variant {
        case .dictionary, .atomicFlag, .plainFlag: requestAfter + chunk
        case .neverChecks: max(requestAfter, chunk * chunks)
        case .measured: chunk * (1 + 2 + 5)
        }
    }

    func run() throws {
        guard variant == .measured else {
            _ = try askToExit(after: requestAfter, chunk)
            return
        }
        for length in [chunk, chunk * 2, chunk * 5] {
            // The request comes in the middle of the first chunk.
            let latency = try askToExit(after: length / 2, length)
            Meter("chunks of \(length.readable), exit after").record(latency)
        }
    }

    /// - Returns: the time between the request and the worker's exit.
    private func askToExit(after delay: Duration, _ chunk: Duration) throws -> Duration {
        let request = try makeRequest()
        let begun = Atomic("chunks begun", 0)
        let cleanedUp = Shared("cleaned up", false)
        let worker = try Thread.returning("worker") {
            try request.prepare()
            let done = try work(in: chunk, counting: begun, until: request.isSeen)
            note("cleans up, with \(done) of \(chunks) chunks done")
            try cleanedUp.write(true)
            return done
        }

        try Thread.sleep(for: delay)
        note("asks the worker to exit")
        let asked = Instant.now
        try request.send()
        let begunBefore = try begun.load()

        let done = try worker.join()
        let latency = Instant.now - asked
        note("the worker has exited, \(latency.readable) after the request")
        try check(cleanedUp.read(), "the worker did not clean up")
        let late = done - begunBefore
        try check(late <= 1, "the worker began \(late) more chunks after the request; it should begin one at most")
        return latency
    }

    /// Does the chunks until none is left, or the request is seen.
    private func work(
        in chunk: Duration, counting begun: Atomic<Int>, until isSeen: () throws -> Bool
    ) throws -> Int {
        for number in 1...chunks {
            try begun.add(1)
            try Thread.sleep(for: chunk)
            if try isSeen() {
                note("sees the request after chunk \(number)")
                return number
            }
        }
        return chunks
    }

    /// One way to ask a thread to exit.
    private struct Request: Sendable {
        /// What the worker does before it begins.
        var prepare: @Sendable () throws -> Void = {}
        /// Whether the worker sees the request; called after each chunk.
        let isSeen: @Sendable () throws -> Bool
        /// How the main thread sends the request.
        let send: @Sendable () throws -> Void
    }

    private func makeRequest() throws -> Request {
        switch variant {
        case .dictionary: return try throughRunLoop(workerLooks: true)
        case .neverChecks: return try throughRunLoop(workerLooks: false)
        case .atomicFlag, .measured:
            let flag = Atomic("should exit", false)
            return Request(isSeen: { try flag.load() }, send: { try flag.store(true) })
        case .plainFlag:
            let flag = Shared("should exit", false)
            return Request(isSeen: { try flag.read() }, send: { try flag.write(true) })
        }
    }

    private func throughRunLoop(workerLooks: Bool) throws -> Request {
        let key = "ThreadShouldExitNow"
        let registered = try BoundedQueue<RunLoop>("registered loops", capacity: 1)
        let source = InputSource(
            "exit request",
            schedule: { loop, _ in try registered.put(loop) },
            perform: { ThreadDictionary.current.set(key, true) })
        return Request(
            prepare: {
                ThreadDictionary.current.set(key, false)
                try RunLoop.current.add(source)
            },
            isSeen: {
                try RunLoop.current.run(until: .now)
                return workerLooks && ThreadDictionary.current.value(key) == true
            },
            send: {
                let loop = try registered.take()
                try source.signal()
                try loop?.wakeUp()
            })
    }
}
