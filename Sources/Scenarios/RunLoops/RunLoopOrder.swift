import Authoring

/// The ten steps of a run loop's pass, written down by an observer.
struct RunLoopOrder: Scenario {
    static let name = "run-loop-order"
    static let summary = "An observer of a run loop writes down the steps of each pass."
    static let lesson = """
        Each pass of a run loop does the same things in the same order, and tells its observers before it does them. \
        Of what is pending, custom sources and queued calls come first, then at most one message of a port. If there \
        was none of these, the loop sleeps until a timer is due, a message or a call arrives, or it is woken. Timers \
        are fired only after that. The run ends after an input source was handled; a timer does not end it.

        An observer learns that the loop is *about to* process timers, not that one fires: the loop may sleep in \
        between. If the time matters, take the notices before and after waiting.

        What to try: `run run-loop-order --format lanes`, and count the steps.
        """
    static let guide: Guide? = .runLoops("The Run Loop Sequence of Events")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case tenSteps = "ten-steps"
        case beforeTimers = "before-timers"
        case afterWaiting = "after-waiting"

        var summary: String {
            switch self {
            case .tenSteps: "a timer, a source, a call and a message of a port, in the order of the guide"
            case .beforeTimers: "takes the notice before timers for the time at which the timer fires"
            case .afterWaiting: "takes the notice after waiting for the time at which the timer fires"
            }
        }

        var expectation: Expectation { self == .beforeTimers ? .must(.assertion) : .completes }

        var guide: Guide? { self == .tenSteps ? nil : .runLoops("Run Loop Observers") }
    }

    @Parameter("variant of the program") var variant = Variant.tenSteps
    @Parameter("time until the timer fires", in: .milliseconds(1) ... .seconds(10)) var delay = Duration.milliseconds(
        50)

    func run() throws {
        switch variant {
        case .tenSteps: try writeDownSteps()
        case .beforeTimers: try measure(from: .beforeTimers)
        case .afterWaiting: try measure(from: .afterWaiting)
        }
    }

    private func writeDownSteps() throws {
        let loop = RunLoop.current
        let steps = Steps()
        try loop.add(RunLoopObserver("steps") { steps.add($0.description) })
        let source = InputSource("source") { steps.add("source") }
        try loop.add(source)
        let port = Port("port") { _ in steps.add("port") }
        try loop.add(port)
        let timer = Timer("timer", timeInterval: delay) { _ in
            steps.add("timer")
            try source.signal()
            try loop.perform { steps.add("call") }
            try port.send(PortMessage(1))
        }
        try loop.add(timer)
        try loop.run()

        let expected = [
            "entry",
            "before timers", "before sources", "before waiting", "after waiting", "timer",
            "before timers", "before sources", "source", "call", "port",
            "exit",
        ]
        try check(steps.all == expected, "the steps were \(steps.all)")
    }

    /// Compares the time of a notice with the time at which the timer fires.
    private func measure(from activity: RunLoop.Activity) throws {
        let loop = RunLoop.current
        let notice = Notice()
        try loop.add(RunLoopObserver("watch", for: activity) { _ in notice.time = .now })
        let timer = Timer("timer", timeInterval: delay) { _ in
            let gap = Instant.now - notice.time
            note("the timer fires \(gap.readable) after the notice \(activity)")
            try check(gap < delay / 2, "the notice came \(gap.readable) before the timer fired")
        }
        try loop.add(timer)
        try loop.run()
    }

    /// What was written down. Only the main thread uses it.
    private final class Steps: @unchecked Sendable {
        private(set) var all: [String] = []

        func add(_ step: String) {
            all.append(step)
            note("\(all.count). \(step)")
        }
    }

    /// When the last notice came. Only the main thread uses it.
    private final class Notice: @unchecked Sendable {
        var time = Instant.distantPast
    }
}
