import Authoring

/// A worker that is asked to end before its work is done: the guide's `threadMainRoutine`.
struct Cancellation: Scenario {
    static let name = "cancellation"
    static let summary = "A thread is asked to exit early, and does so between two chunks of its work."
    static let lesson = """
        A thread that is killed cannot clean up; a thread that is asked can. It works in chunks, looks after each whether it \
        should exit, and then returns by itself, so the longest it takes to notice is one chunk. In the guide's form the \
        request is an input source of the worker's run loop, and the handler leaves a flag in the worker's thread dictionary, \
        which no other thread can reach. An atomic flag does as well. A plain one is a data race: nothing says when, or \
        whether, the worker sees it.

        What to try: longer chunks, with `--chunk 50ms`, and a request that comes too late, with `--request-after 1s`.
        """
    static let guide = Guide.threads("Terminating a Thread")
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case dictionary
        case atomicFlag = "atomic-flag"
        case neverChecks = "never-checks"
        case plainFlag = "plain-flag"

        var summary: String {
            switch self {
            case .dictionary: "a run loop source sets ThreadShouldExitNow in the worker's thread dictionary"
            case .atomicFlag: "the main thread sets an atomic flag"
            case .neverChecks: "the source's handler sets the flag, and the worker never looks at it"
            case .plainFlag: "the main thread sets a flag in plain memory, while the worker reads it"
            }
        }

        var expectation: Expectation {
            switch self {
            case .dictionary, .atomicFlag: .completes
            case .neverChecks: .must(.assertion)
            case .plainFlag: .must(.race)
            }
        }
    }

    @Parameter("how the request reaches the worker") var variant = Variant.dictionary
    @Parameter("how long the worker takes for one chunk", in: .zero ... .seconds(10))
    var chunk = Duration.milliseconds(10)
    @Parameter("how many chunks there are to do", in: 1...1000) var chunks = 10
    @Parameter("when the main thread asks", in: .zero ... .seconds(60))
    var requestAfter = Duration.milliseconds(25)

    /// A worker that never looks does no harm if the request comes when it has nearly done.
    var expectation: Expectation {
        let lastCall = chunk * (chunks - 2)
        guard variant == .neverChecks && requestAfter >= lastCall else { return variant.expectation }
        return requestAfter == lastCall ? .may(.assertion) : .completes
    }

    func run() throws {
        let request = try makeRequest()
        let begun = Atomic("chunks begun", 0)
        let cleanedUp = Shared("cleaned up", false)
        let worker = try Thread.returning("worker") {
            try request.prepare()
            let done = try work(counting: begun, until: request.isSeen)
            note("cleans up, with \(done) of \(chunks) chunks done")
            try cleanedUp.write(true)
            return done
        }

        try Thread.sleep(for: requestAfter)
        note("asks the worker to exit")
        let asked = Instant.now
        try request.send()
        let begunBefore = try begun.load()

        let done = try worker.join()
        note("the worker has exited, \((Instant.now - asked).readable) after the request")
        try check(cleanedUp.read(), "the worker did not clean up")
        let late = done - begunBefore
        try check(late <= 1, "the worker began \(late) more chunks after the request; it should begin one at most")
    }

    /// Works off the chunks until there are none left, or until the request is seen.
    private func work(counting begun: Atomic<Int>, until isSeen: () throws -> Bool) throws -> Int {
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
        /// Whether the worker sees the request; it asks after each chunk.
        let isSeen: @Sendable () throws -> Bool
        /// What the main thread does to ask.
        let send: @Sendable () throws -> Void
    }

    private func makeRequest() throws -> Request {
        switch variant {
        case .dictionary: return try throughRunLoop(workerLooks: true)
        case .neverChecks: return try throughRunLoop(workerLooks: false)
        case .atomicFlag:
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
