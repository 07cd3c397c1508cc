import Authoring

/// A signal that interrupts a thread: what its handler may do, and which thread runs it.
struct Signals: Scenario {
    static let name = "signals"
    static let summary = "A signal interrupts a thread that is at work, and its handler needs what the thread holds."
    static let lesson = """
        A signal is sent to the process, and any thread that does not block it may get it, not only the one that \
        installed the handler. Only the signals of hardware faults go to the thread that caused them. The handler \
        interrupts that thread wherever it is. If the thread holds a lock that the handler needs, it waits for \
        itself. Waking a run loop takes a lock too, and so do allocating memory and printing.

        So either the handler only sets an atomic flag, which the program tests where it holds no lock; or no handler \
        runs at all: every thread blocks the signal, and one thread waits for it with `sigwait`. That thread is an \
        ordinary one, and may do anything.

        Here a handler runs between two operations of the thread that got the signal, and never inside one. On real \
        threads the signal is real, and the kernel chooses the thread: Linux takes the main thread if it can.
        """
    static let guide: Guide? = .synchronization("Thread Safety and Signals")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case lockInHandler = "lock-in-handler"
        case anyThread = "any-thread"
        case wakesLoop = "wakes-loop"
        case flag
        case ownThread = "own-thread"
        case threadWakesLoop = "thread-wakes-loop"

        var summary: String {
            switch self {
            case .lockInHandler: "the handler takes the lock that the interrupted thread holds"
            case .anyThread: "the handler relies on being called on the thread that installed it"
            case .wakesLoop: "the handler signals an input source and wakes the loop"
            case .flag: "the handler sets an atomic flag, which is tested where no lock is held"
            case .ownThread: "the signal is blocked everywhere, and one thread waits for it"
            case .threadWakesLoop: "a thread waits for the signal, signals the source and wakes the loop"
            }
        }

        var expectation: Expectation {
            switch self {
            case .lockInHandler: .must(.deadlock, warning: .lockInHandler)
            case .anyThread: .may(.assertion)
            case .wakesLoop: .may(.deadlock, warning: .lockInHandler)
            case .flag, .ownThread, .threadWakesLoop: .completes
            }
        }

        var guide: Guide? {
            switch self {
            case .wakesLoop, .threadWakesLoop: .runLoops("Defining a Custom Input Source")
            default: nil
            }
        }

        var unusedParameters: Set<String> {
            switch self {
            case .wakesLoop, .threadWakesLoop: []
            default: ["pause"]
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.lockInHandler
    @Parameter("time after which a clock wakes the loop in any case", in: .milliseconds(2) ... .seconds(1))
    var pause = Duration.milliseconds(20)

    var expectedDuration: Duration { pause * 3 }

    func run() throws {
        switch variant {
        case .lockInHandler: try count { tally in try ProcessSignal { try tally.add(1) } }
        case .anyThread: try trustThread()
        case .flag: try raiseFlag()
        case .ownThread: try waitInThread()
        case .wakesLoop, .threadWakesLoop: try wakeLoop()
        }
    }

    // MARK: - A count

    private struct Tally {
        let mutex = Mutex("tally")
        let count = Shared("count", 0)

        func add(_ amount: Int, during work: () throws -> Void = {}) throws {
            try mutex.withLock {
                try work()
                try count.update { $0 + amount }
            }
        }
    }

    /// The signal is sent while the main thread counts.
    private func count(
        _ install: (Tally) throws -> ProcessSignal, then finish: (Tally) throws -> Void = { _ in }
    ) throws {
        let tally = Tally()
        let signal = try install(tally)
        let counts = try Semaphore("counts", value: 0)
        let isSent = try Semaphore("sent", value: 0)
        let sender = try Thread("sender") {
            // This thread blocks the signal, so that another one gets it.
            ProcessSignal.block()
            try counts.wait()
            try signal.send()
            try isSent.signal()
        }
        try tally.add(1) {
            try counts.signal()
            try isSent.wait()
        }
        try sender.join()
        try finish(tally)
        try tally.mutex.withLock { try check(tally.count.read() == 2, "the signal has not been counted") }
    }

    private func raiseFlag() throws {
        let isSignaled = Atomic("signaled", false)
        try count { _ in
            try ProcessSignal { try isSignaled.store(true) }
        } then: { tally in
            if try isSignaled.load() { try tally.add(1) }
        }
    }

    private func waitInThread() throws {
        ProcessSignal.block()
        var signals: Thread?
        try count { tally in
            let signal = try ProcessSignal {}
            signals = try Thread("signals") {
                try signal.wait()
                try tally.add(1)
            }
            return signal
        } then: { _ in
            try signals?.join()
        }
    }

    // MARK: - The thread of the handler

    private func trustThread() throws {
        let isReady = try Semaphore("ready", value: 0)
        let isSent = try Semaphore("sent", value: 0)
        let signal = try ProcessSignal {
            try check(!Thread.current.isMain, "the handler that is meant for the worker runs on main")
        }
        let worker = try Thread("worker") {
            try isReady.signal()
            try isSent.wait()
        }
        try isReady.wait()
        try signal.send()
        try isSent.signal()
        try worker.join()
    }

    // MARK: - A run loop

    private func wakeLoop() throws {
        let loop = RunLoop.current
        let source = InputSource("signal source") { note("the source is performed") }
        try loop.add(source)
        // The timer wakes the loop in any case.
        try loop.add(Timer("clock", timeInterval: pause) { _ in })
        if variant == .threadWakesLoop { ProcessSignal.block() }
        let signal = try ProcessSignal {
            try source.signal()
            try loop.wakeUp()
        }
        var signals: Thread?
        if variant == .threadWakesLoop {
            signals = try Thread("signals") {
                try signal.wait()
                try source.signal()
                try loop.wakeUp()
            }
        }
        let sender = try Thread("sender") {
            try Thread.sleep(for: pause / 2)
            try signal.send()
        }
        try loop.run(until: Instant.now + pause * 2)
        try sender.join()
        try signals?.join()
    }
}
