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
        between. If the time matters, take the notices before and after waiting. An observer that does not repeat \
        is called once, and removed.

        What is added while the loop is awake counts in the next pass, which begins by looking for sources: it needs \
        no wake-up. The guide says that adding a source wakes a sleeping loop. Here a loop is changed on its own \
        thread only, which is not asleep then; another thread has the loop make a call that adds the source.

        What to try: `run run-loop-order --format lanes`, and find the guide's ten steps: the notes have its numbers. \
        Steps 5 (is a port ready?) and 7 (sleep) are silent. After step 9 the loop goes back to step 2.
        """
    static let guide: Guide? = .runLoops("The Run Loop Sequence of Events")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case tenSteps = "ten-steps"
        case beforeTimers = "before-timers"
        case afterWaiting = "after-waiting"
        case oneShot = "one-shot"
        case addedSource = "added-source"

        var summary: String {
            switch self {
            case .tenSteps: "a timer, a source, a call and a message of a port, in the order of the guide"
            case .beforeTimers: "takes the notice before timers for the time at which the timer fires"
            case .afterWaiting: "takes the notice after waiting for the time at which the timer fires"
            case .oneShot: "an observer that does not repeat is called in the first pass only"
            case .addedSource: "another thread has the sleeping loop add a source, which is handled at once"
            }
        }

        var expectation: Expectation { self == .beforeTimers ? .must(.assertion) : .completes }

        var guide: Guide? { self == .tenSteps || self == .addedSource ? nil : .runLoops("Run Loop Observers") }

        var unusedParameters: Set<String> { self == .addedSource ? ["delay"] : [] }
    }

    @Parameter("variant of the program") var variant = Variant.tenSteps
    @Parameter("time until the timer fires", in: .milliseconds(1) ... .seconds(10)) var delay = Duration.milliseconds(
        50)

    var expectedDuration: Duration { delay }

    func run() throws {
        switch variant {
        case .tenSteps: try writeDownSteps()
        case .beforeTimers: try measure(from: .beforeTimers)
        case .afterWaiting: try measure(from: .afterWaiting)
        case .oneShot: try observeOnce()
        case .addedSource: try addSourceFromOutside()
        }
    }

    private func writeDownSteps() throws {
        let loop = RunLoop.current
        let steps = Steps()
        try steps.watch(loop)
        let source = InputSource("source") { steps.add(4, "source") }
        try loop.add(source)
        let port = Port("port") { _ in steps.add(9, "port") }
        try loop.add(port)
        let timer = Timer("timer", timeInterval: delay) { _ in
            steps.add(9, "timer")
            try source.signal()
            try loop.perform { steps.add(4, "call") }
            try port.send(PortMessage(1))
        }
        try loop.add(timer)
        try loop.run()

        let expected = [
            "1. entry",
            "2. before timers", "3. before sources", "6. before waiting", "8. after waiting", "9. timer",
            "2. before timers", "3. before sources", "4. source", "4. call", "9. port",
            "10. exit",
        ]
        try check(steps.all == expected, "the steps were \(steps.all)")
    }

    /// Two passes, and an observer that is called in the first.
    private func observeOnce() throws {
        let loop = RunLoop.current
        let calls = Calls()
        let once = RunLoopObserver("once", for: .beforeTimers, repeats: false) { _ in calls.ofOnce += 1 }
        try loop.add(once)
        try loop.add(RunLoopObserver("always", for: .beforeTimers) { _ in calls.ofAlways += 1 })
        try loop.add(
            Timer("timer", timeInterval: delay / 2, repeats: true) { timer in
                if calls.ofAlways == 2 { try timer.invalidate() }
            })
        try loop.run()
        note("once was called \(calls.ofOnce) time, always \(calls.ofAlways) times")
        try check(calls.ofOnce == 1 && calls.ofAlways >= 2, "once was called \(calls.ofOnce) times")
        try check(!once.isValid, "an observer that was called once is still valid")
    }

    /// The source is signaled before it is added, so it is not the signal that wakes the loop, but the call.
    private func addSourceFromOutside() throws {
        let loop = RunLoop.current
        let steps = Steps()
        let isAsleep = try Semaphore("main's loop is about to sleep", value: 0)
        try loop.add(InputSource("keeps the loop running") {})
        let source = InputSource("source") { steps.add(4, "source") }
        let other = try Thread("other") {
            try isAsleep.wait()
            try source.signal()
            try loop.perform {
                steps.add(4, "call")
                try loop.add(source)
            }
        }
        try loop.add(RunLoopObserver("asleep", for: .beforeWaiting) { _ in try isAsleep.signal() })
        try loop.run()
        try loop.run()
        try check(steps.all == ["4. call", "4. source"], "the steps were \(steps.all)")
        try other.join()
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

    /// The recorded steps, with the numbers of the guide's steps. Only the main thread uses it.
    private final class Steps: @unchecked Sendable {
        private(set) var all: [String] = []

        private static let numbers: [RunLoop.Activity: Int] = [
            .entry: 1, .beforeTimers: 2, .beforeSources: 3, .beforeWaiting: 6, .afterWaiting: 8, .exit: 10,
        ]

        func add(_ number: Int, _ step: String) {
            all.append("\(number). \(step)")
            note("\(number). \(step)")
        }

        func watch(_ loop: RunLoop) throws {
            try loop.add(RunLoopObserver("steps") { self.add(Self.numbers[$0] ?? 0, $0.description) })
        }
    }

    /// The numbers of calls of observers. Only the main thread uses it.
    private final class Calls: @unchecked Sendable {
        var ofOnce = 0
        var ofAlways = 0
    }

    /// The time of the last notice. Only the main thread uses it.
    private final class Notice: @unchecked Sendable {
        var time = Instant.distantPast
    }
}
