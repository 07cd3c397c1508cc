import Authoring

/// A thread from its description to its end: the guide's sections on creating threads.
struct ThreadLifecycle: Scenario {
    static let name = "thread-lifecycle"
    static let summary = "A thread is described, started, blocked, woken, and joined or left alone."
    static let lesson = """
        A thread can be started at once, detached, and left alone. Or it is an object first: it gets its attributes, \
        is started later, and can be asked for its state. It is ready until it runs, it executes except while it \
        waits for something, and it is finished when its body has ended. A thread can be started only once, and the \
        system may refuse to create it. If that error is ignored, others wait for a thread that does not exist.
        """
    static let guide: Guide? = .threads("Using NSThread")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case object
        case atOnce = "at-once"
        case cancelledBeforeStart = "cancelled-before-start"
        case startedTwice = "started-twice"
        case neverStarted = "never-started"
        case refused
        case errorIgnored = "error-ignored"

        var summary: String {
            switch self {
            case .object: "an object with attributes, which is started later; its states are noted"
            case .atOnce: "a detached thread that starts at once"
            case .cancelledBeforeStart: "a thread that is cancelled before it is started: its body never runs"
            case .startedTwice: "a thread that is started a second time"
            case .neverStarted: "the main thread joins a thread that was never started"
            case .refused: "the system refuses the thread's stack; the error is caught, and the stack enlarged"
            case .errorIgnored: "the system refuses to create the thread, and the error is ignored: main waits forever"
            }
        }

        var expectation: Expectation {
            switch self {
            case .object, .atOnce, .cancelledBeforeStart, .refused: .completes
            case .startedTwice, .neverStarted: .must(.misuse)
            case .errorIgnored: .must(.deadlock)
            }
        }

        var guide: Guide? {
            switch self {
            case .refused, .errorIgnored: .threads("Using POSIX Threads")
            default: nil
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.object

    func run() throws {
        switch variant {
        case .object: try watchStates()
        case .atOnce: try startAtOnce()
        case .cancelledBeforeStart: try cancelFirst()
        case .startedTwice:
            let worker = ThreadObject("worker") { 42 }
            try worker.start()
            try worker.start()
        case .neverStarted:
            let worker = ThreadObject("worker") { 42 }
            try worker.join()
        case .refused: try createWithTooSmallStack(ignoringErrors: false)
        case .errorIgnored: try createWithTooSmallStack(ignoringErrors: true)
        }
    }

    private func watchStates() throws {
        let running = try Semaphore("running", value: 0)
        let goOn = try Semaphore("ready", value: 0)
        let worker = ThreadObject("worker") {
            Thread.whenExiting { note("cleans up") }
            try running.signal()
            try goOn.wait()
            return 42
        }
        worker.attributes.stackSize = 1 << 20
        try noteState("described", worker.state())
        try worker.start()
        try running.wait()
        try noteState("started", worker.state())
        try goOn.signal()
        let value = try worker.join()
        try noteState("joined, with \(value)", worker.state())
        try check(worker.state() == .finished && value == 42, "the worker is not finished")
    }

    private func noteState(_ moment: String, _ state: ThreadObject<Int>.State) { note("\(moment): it is \(state)") }

    private func startAtOnce() throws {
        let done = try Semaphore("done", value: 0)
        try Thread.detach("worker") { try done.signal() }
        try done.wait()
        // Unlike a return, this gives the worker time to end.
        try Thread.exit()
    }

    private func cancelFirst() throws {
        let hasRun = Atomic("has run", false)
        let worker = ThreadObject("worker") { try hasRun.store(true) }
        try worker.cancel()
        try worker.start()
        try check(!hasRun.load() && worker.state() == .finished && worker.isCancelled(), "the body has run")
    }

    private func createWithTooSmallStack(ignoringErrors: Bool) throws {
        let done = try Semaphore("done", value: 0)
        let worker = ThreadObject("worker", ThreadAttributes(stackSize: 4096, isDetached: true)) { try done.signal() }
        if ignoringErrors {
            try? worker.start()
        } else {
            do { try worker.start() } catch let failure as ThreadCreationFailed {
                note("refused: \(failure)")
                worker.attributes.stackSize = ThreadAttributes.minimumStackSize * 4
                try worker.start()
            }
        }
        try done.wait()
        try Thread.exit()
    }
}
