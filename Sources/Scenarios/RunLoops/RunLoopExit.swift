import Authoring

/// The ways in which a worker that runs its loop can be made to leave it.
struct RunLoopExit: Scenario {
    static let name = "run-loop-exit"
    static let summary = "The main thread asks a worker to leave its run loop."
    static let lesson = """
        A loop that is run unconditionally never ends by itself, so its thread cannot clean up. There are two \
        reliable ways to leave: give each run a time limit and look at a condition between two runs, or stop the \
        loop. Removing everything that the loop watches is not one of them: other code on the thread may have added \
        sources or timers of its own, and the loop continues with those.

        The guide has a figure in which an input source ends `runUntilDate:`. It does not, there or here: that call \
        runs the loop again until the date. What a source ends is one `run(mode:until:)`.
        """
    static let guide: Guide? = .runLoops("Exiting the Run Loop")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case stop
        case timeLimit = "time-limit"
        case removeSource = "remove-source"
        case unconditional

        var summary: String {
            switch self {
            case .stop: "the main thread stops the loop"
            case .timeLimit: "each run has a time limit, and the worker looks at a flag between two runs"
            case .removeSource: "the worker removes its source, but a library has added one of its own"
            case .unconditional: "the worker runs its loop again whatever the main thread asks"
            }
        }

        var expectation: Expectation {
            switch self {
            case .stop, .timeLimit: .completes
            case .removeSource, .unconditional: .must(.deadlock)
            }
        }

        var guide: Guide? { self == .stop || self == .removeSource ? nil : .runLoops("Starting the Run Loop") }
    }

    @Parameter("variant of the program") var variant = Variant.stop
    @Parameter("time limit of a run", in: .milliseconds(1) ... .seconds(10)) var limit = Duration.milliseconds(10)

    var expectedDuration: Duration { limit * 2 }

    func run() throws {
        let handed = try BoundedQueue<RunLoop>("hand-over", capacity: 1)
        let shouldExit = Atomic("should exit", false)
        let request = InputSource("request") { note("the worker sees a request") }
        let worker = try Thread("worker") {
            let loop = RunLoop.current
            try loop.add(request)
            if variant == .removeSource { try loop.add(InputSource("a library's source") {}) }
            try handed.put(loop)
            try live(on: loop, request, shouldExit)
            note("the worker cleans up")
        }
        guard let loop = try handed.take() else { return }
        try shouldExit.store(true)
        if variant == .stop {
            try loop.stop()
        } else if variant != .timeLimit {
            try request.signal()
            try loop.wakeUp()
        }
        try worker.join()
    }

    private func live(on loop: RunLoop, _ request: InputSource, _ shouldExit: Atomic<Bool>) throws {
        switch variant {
        case .stop: while try loop.run() != .stopped {}
        case .timeLimit: while try !shouldExit.load() { try loop.run(mode: .default, until: .now + limit) }
        case .removeSource:
            while try loop.run() != .finished { try loop.remove(request) }
        case .unconditional:
            while true { try loop.run(mode: .default) }
        }
    }
}
