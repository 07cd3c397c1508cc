import Authoring

/// What keeps a loop running while there is nothing to do.
struct KeepAlive: Scenario {
    static let name = "keep-alive"
    static let summary = "A worker's run loop waits for an event that comes late."
    static let lesson = """
        A loop with nothing to watch ends at once, so the loop of a long-lived thread needs a source or a timer from \
        the start. A repeating timer is enough to keep it running. But it wakes the thread at every interval, mostly \
        for nothing: that is polling in disguise. The longer the interval, the later an event is noticed that does not \
        wake the loop by itself. A source costs nothing until it is signaled: the thread sleeps until there is \
        something to do.
        """
    static let guide: Guide? = .runLoops("Configuring the Run Loop")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case source
        case timer

        var summary: String {
            switch self {
            case .source: "a source keeps the loop running, and the event wakes it"
            case .timer: "a repeating timer keeps the loop running, and looks for the event"
            }
        }

        var expectation: Expectation { self == .source ? .completes : .may(.assertion) }
    }

    @Parameter("variant of the program") var variant = Variant.source
    @Parameter("interval of the timer", in: .milliseconds(1) ... .milliseconds(100))
    var interval = Duration.milliseconds(20)
    @Parameter("intervals until the event comes", in: 2...20) var intervals = 3

    var expectedDuration: Duration { interval * intervals }

    func run() throws {
        let hasHappened = Atomic("event has happened", false)
        let handed = try BoundedQueue<RunLoop>("hand-over", capacity: 1)
        let event = InputSource("event") { note("handles the event") }
        let worker = try Thread("worker") {
            let loop = RunLoop.current
            let wakeUps = Count()
            try loop.add(RunLoopObserver("wake-ups", for: .afterWaiting) { _ in wakeUps.value += 1 })
            if variant == .source { try loop.add(event) } else { try poll(hasHappened, in: loop) }
            try handed.put(loop)
            try loop.run()
            note("the loop woke up \(wakeUps.value) times")
            try check(wakeUps.value <= 1, "the loop woke up \(wakeUps.value) times for one event")
        }
        guard let loop = try handed.take() else { return }
        try Thread.sleep(for: interval * intervals - interval / 2)
        try hasHappened.store(true)
        if variant == .source {
            try event.signal()
            try loop.wakeUp()
        }
        try worker.join()
    }

    /// Tests after every interval whether the event has happened.
    private func poll(_ hasHappened: Atomic<Bool>, in loop: RunLoop) throws {
        try loop.add(
            Timer("keeps the loop running", timeInterval: interval, repeats: true) { timer in
                guard try hasHappened.load() else { return }
                note("finds the event")
                try timer.invalidate()
            })
    }

    /// Only the worker uses it.
    private final class Count: @unchecked Sendable {
        var value = 0
    }
}
