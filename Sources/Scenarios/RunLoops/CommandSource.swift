import Authoring

/// Commands that the main thread hands to a worker's run loop through a custom source: the guide's `RunLoopSource`.
struct CommandSource: Scenario {
    static let name = "command-source"
    static let summary = "The main thread hands commands to a worker's run loop through a custom input source."
    static let lesson = """
        A custom source is three things: a buffer of commands that any thread can fill, a signal that says that there \
        are some, and a handler that the worker's loop calls. The loop does not look at the buffer by itself, and a \
        signal does not wake it: the thread that adds a command also signals the source and wakes the loop. The \
        buffer is shared, so it needs a lock of its own. Through its callbacks the source tells the main thread when \
        it enters a loop and when it leaves it.

        The last callback runs while the worker ends. If it waits there until the main thread has made a call, while \
        the main thread waits for the worker to end, neither continues. A thread that others send calls to has to \
        run its loop until the last of them is done.
        """
    static let guide: Guide? = .runLoops("Defining a Custom Input Source")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case complete
        case noSignal = "no-signal"
        case noWake = "no-wake"
        case noLock = "no-lock"
        case cancelWaits = "cancel-waits"
        case cancelHeard = "cancel-heard"

        var summary: String {
            switch self {
            case .complete: "adds the command, signals the source, and wakes the loop"
            case .noSignal: "wakes the loop, but does not signal the source"
            case .noWake: "signals the source, but does not wake the loop"
            case .noLock: "the buffer has no lock"
            case .cancelWaits: "the cancel callback waits for the main thread, which joins the worker"
            case .cancelHeard: "the main thread runs its loop until the cancel callback is done, then joins"
            }
        }

        var expectation: Expectation {
            switch self {
            case .complete, .cancelHeard: .completes
            case .noSignal, .noWake: .may(.assertion)
            case .noLock: .may(.race).orElse(.assertion)
            case .cancelWaits: .must(.deadlock)
            }
        }

        var guide: Guide? {
            switch self {
            case .complete, .noLock: nil
            case .noSignal, .noWake: .runLoops("Signaling the Input Source")
            case .cancelWaits, .cancelHeard: .runLoops("Defining the Input Source")
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.complete
    @Parameter("number of commands", in: 1...100) var commands = 2
    @Parameter("time that the worker's loop sleeps at most", in: .milliseconds(1) ... .seconds(10))
    var patience = Duration.milliseconds(500)

    /// With only one command, no two threads use the buffer at the same time.
    var expectation: Expectation { variant == .noLock && commands == 1 ? .completes : variant.expectation }

    /// The command that ends the worker.
    private static let quit = 0

    var expectedDuration: Duration { patience }

    func run() throws {
        let main = RunLoop.current
        // With nothing to watch, the main thread's loop would not wait for calls.
        try main.add(InputSource("keeps the loop running") {})
        let client = Client()
        let buffer = Buffer(lock: variant == .noLock ? nil : Mutex("buffer's lock"))
        let progress = Progress()
        let source = InputSource(
            "commands",
            schedule: { loop, _ in try main.perform { client.loop = loop } },
            cancel: { _, _ in
                guard variant == .cancelWaits || variant == .cancelHeard else { return }
                try main.perform(waitUntilDone: true) { client.loop = nil }
            },
            perform: { while let command = try buffer.take() { progress.handle(command) } })
        let worker = try Thread("worker") {
            let end = Instant.now + patience
            try RunLoop.current.add(source)
            while !progress.isOver && Instant.now < end { try RunLoop.current.run(mode: .default, until: end) }
            try check(progress.isOver, "the worker slept for \(patience.readable) beside commands that it did not see")
            try source.invalidate()
        }

        while client.loop == nil { try main.run() }
        for command in (0..<commands).reversed() { try hand(over: command, to: buffer, source, client.loop) }
        if variant == .cancelHeard { while client.loop != nil { try main.run() } }
        try worker.join()
    }

    private func hand(over command: Int, to buffer: Buffer, _ source: InputSource, _ loop: RunLoop?) throws {
        try buffer.put(command)
        if variant != .noSignal { try source.signal() }
        if variant != .noWake { try loop?.wakeUp() }
    }

    /// The main thread's knowledge of the source. Only the main thread uses it.
    private final class Client: @unchecked Sendable {
        var loop: RunLoop?
    }

    /// What the worker has done. Only the worker uses it.
    private final class Progress: @unchecked Sendable {
        private(set) var isOver = false

        func handle(_ command: Int) {
            note("handles command \(command)")
            if command == CommandSource.quit { isOver = true }
        }
    }

    /// Commands count down to 0, so the buffer stores only the number of waiting ones and the next one.
    private final class Buffer: Sendable {
        private let lock: Mutex?
        private let waiting = Shared("commands in the buffer", 0)
        private let next = Shared("next command", -1)

        init(lock: Mutex?) { self.lock = lock }

        func put(_ command: Int) throws {
            try locked {
                if try next.read() < 0 { try next.write(command) }
                try waiting.write(waiting.read() + 1)
            }
        }

        func take() throws -> Int? {
            try locked {
                guard try waiting.read() > 0 else { return nil }
                let command = try next.read()
                try waiting.write(waiting.read() - 1)
                try next.write(command - 1)
                return command
            }
        }

        private func locked<Result>(_ body: () throws -> Result) throws -> Result {
            guard let lock else { return try body() }
            return try lock.withLock(body)
        }
    }
}
