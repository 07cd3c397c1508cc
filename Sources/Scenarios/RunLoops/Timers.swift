import Authoring

/// Timers whose handlers take time: what is planned, what happens, and what must not be concluded.
struct Timers: Scenario {
    static let name = "timers"
    static let summary = "A timer fires repeatedly while handlers keep its thread busy."
    static let lesson = """
        A timer does not interrupt its thread: its handler runs when the run loop gets to it. While another handler \
        is running, the timer waits. A repeating timer is planned from its planned times, so a late fire does not \
        make the next one late. A timer that is started again in its own handler is planned from the time at which \
        that happens, so its delays add up.

        If several planned times have passed when a timer fires, it fires once for all of them. The number of fires \
        is therefore no measure of time: read the clock.
        """
    static let guide: Guide? = .runLoops("Timer Sources")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case repeating
        case rearmed
        case counted
        case clock

        var summary: String {
            switch self {
            case .repeating: "a repeating timer, planned from its planned times"
            case .rearmed: "a timer that its own handler starts again, planned from the actual time"
            case .counted: "counts the fires to know how much time has passed, while another handler is busy"
            case .clock: "reads the clock to know how much time has passed"
            }
        }

        var expectation: Expectation {
            switch self {
            case .repeating, .clock: .completes
            case .rearmed, .counted: .must(.assertion)
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.repeating
    @Parameter("time between two fires", in: .milliseconds(1) ... .seconds(10)) var interval = Duration.milliseconds(20)
    @Parameter("time that a handler takes", in: .milliseconds(1) ... .seconds(10)) var work = Duration.milliseconds(5)
    @Parameter("number of fires", in: 2...100) var fires = 4

    func run() throws {
        switch variant {
        case .repeating: try repeating()
        case .rearmed: try rearmed()
        case .counted: try measure(byCounting: true)
        case .clock: try measure(byCounting: false)
        }
    }

    private func repeating() throws {
        let fired = Count()
        let timer = try Timer.scheduled("timer", timeInterval: interval, repeats: true) { timer in
            try handleFire(timer, fired)
            if fired.value == fires { try timer.invalidate() }
        }
        fired.start = timer.fireDate + (.zero - interval)
        try RunLoop.current.run()
    }

    private func rearmed() throws {
        let fired = Count()
        fired.start = try start(fired).fireDate + (.zero - interval)
        try RunLoop.current.run()
    }

    private func start(_ fired: Count) throws -> Timer {
        try Timer.scheduled("timer", timeInterval: interval) { timer in
            try handleFire(timer, fired)
            if fired.value < fires { _ = try start(fired) }
        }
    }

    /// Checks that the fire was planned for a multiple of the interval, which is all that the plan of a repeating timer
    /// promises if fires are missed; otherwise for the multiple with the fire's number. Then works.
    private func handleFire(_ timer: Timer, _ fired: Count) throws {
        fired.value += 1
        let planned = timer.fireDate - fired.start
        note("fire \(fired.value), planned for \(planned.readable)")
        let right = interval * (variant == .repeating ? Int((planned / interval).rounded()) : fired.value)
        try check(
            planned == right, "fire \(fired.value) was planned for \(planned.readable), not \(right.readable)")
        try Thread.sleep(for: work)
    }

    /// A source's handler takes more than three intervals, in which the timer cannot fire.
    private func measure(byCounting counts: Bool) throws {
        let fired = Count()
        let busy = InputSource("busy") { try Thread.sleep(for: interval * 7 / 2) }
        try RunLoop.current.add(busy)
        fired.start = .now
        try Timer.scheduled("timer", timeInterval: interval, repeats: true) { timer in
            fired.value += 1
            let passed = Instant.now - fired.start
            let measured = counts ? interval * fired.value : passed
            note("fire \(fired.value): \(measured.readable) measured, \(passed.readable) passed")
            if fired.value == fires {
                try timer.invalidate()
                try busy.invalidate()
                try check(
                    passed - measured < interval * 2, "\(passed.readable) have passed, not \(measured.readable)")
            }
        }
        try busy.signal()
        while try RunLoop.current.run() == .handledSource {}
    }

    /// Only the main thread uses it.
    private final class Count: @unchecked Sendable {
        var value = 0
        var start = Instant.distantPast
    }
}
