import Authoring

/// Timers whose handlers take time: for when their fires are planned, and when they happen.
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

        The first fire can be planned for another time than one interval from now. A timer is planned when it is \
        created, not when it is added to a loop: `scheduled` does both at once. One that is added later may be late \
        already, and one that is never added never fires.
        """
    static let guide: Guide? = .runLoops("Timer Sources")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case repeating
        case rearmed
        case counted
        case clock
        case twoTimers = "two-timers"
        case addedLate = "added-late"
        case dateSet = "date-set"
        case notAdded = "not-added"

        var summary: String {
            switch self {
            case .repeating: "a repeating timer, planned from its planned times"
            case .rearmed: "a timer that its own handler starts again, planned from the actual time"
            case .counted: "counts the fires to know how much time has passed, while another handler is busy"
            case .clock: "reads the clock to know how much time has passed"
            case .twoTimers: "two timers in one loop, one of which begins later than after its interval"
            case .addedLate: "a timer is created, and added to the loop when its first fire is overdue"
            case .dateSet: "the same, and its fire date is set when it is added"
            case .notAdded: "a timer is created, and added to no loop"
            }
        }

        var expectation: Expectation {
            switch self {
            case .repeating, .clock, .twoTimers, .dateSet: .completes
            case .rearmed, .counted, .addedLate, .notAdded: .must(.assertion)
            }
        }

        var guide: Guide? {
            switch self {
            case .repeating, .rearmed, .counted, .clock: nil
            case .twoTimers, .addedLate, .dateSet, .notAdded: .runLoops("Configuring Timer Sources")
            }
        }

        var unusedParameters: Set<String> {
            switch self {
            case .repeating, .rearmed, .counted, .clock: []
            case .twoTimers: ["work"]
            case .addedLate, .dateSet, .notAdded: ["work", "fires"]
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.repeating
    @Parameter("time between two fires", in: .milliseconds(1) ... .seconds(10)) var interval = Duration.milliseconds(20)
    @Parameter("time that a handler takes", in: .milliseconds(1) ... .seconds(10)) var work = Duration.milliseconds(5)
    @Parameter("number of fires", in: 2...100) var fires = 4

    var expectedDuration: Duration { (interval + work) * (fires + 2) }

    func run() throws {
        switch variant {
        case .repeating: try repeating()
        case .rearmed: try rearmed()
        case .counted: try measure(byCounting: true)
        case .clock: try measure(byCounting: false)
        case .twoTimers: try runTwo()
        case .addedLate, .dateSet: try addLate()
        case .notAdded: try addNot()
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

    /// Checks that fire n was planned for n intervals after the start. (A repeating timer skips fires that it missed:
    /// for its fires, any multiple of the interval is right.) Then works for a while.
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

    /// The guide's two timers. One first fires after several intervals, and then at every one; it is added to the loop.
    /// The other has twice the interval, and is scheduled at once.
    private func runTwo() throws {
        let (early, late) = (Count(), Count())
        let start = Instant.now
        let often = try Timer.scheduled("every 2", timeInterval: interval * 2, repeats: true) { _ in early.value += 1 }
        let later = Timer("after 3", fire: start + interval * 3, interval: interval, repeats: true) { timer in
            late.value += 1
            let planned = timer.fireDate - start
            note("fire \(late.value), planned for \(planned.readable), after \(early.value) of the other timer")
            try check(planned >= interval * (2 + late.value), "a fire was planned for \(planned.readable)")
            try check(early.value > 0, "the timer with the earlier date has not fired yet")
            guard late.value == fires else { return }
            try timer.invalidate()
            try often.invalidate()
        }
        try RunLoop.current.add(later)
        try RunLoop.current.run()
        try check(late.value == fires, "the loop ended after \(late.value) fires")
    }

    private func addLate() throws {
        let added = Count()
        let timer = Timer("timer", timeInterval: interval) { timer in
            let delay = timer.fireDate - added.start
            note("planned for \(delay.readable) after it was added")
            try check(delay >= interval, "the timer was due \((.zero - delay).readable) before it was added")
        }
        try Thread.sleep(for: interval * 2)
        added.start = .now
        if variant == .dateSet { try timer.setFireDate(added.start + interval) }
        try RunLoop.current.add(timer)
        try RunLoop.current.run()
    }

    private func addNot() throws {
        let fired = Count()
        _ = Timer("timer", timeInterval: interval) { _ in fired.value += 1 }
        let exit = try RunLoop.current.run(mode: .default, until: .now + interval * 2)
        note("the run ended: \(exit.rawValue)")
        try check(fired.value == 1, "the timer has not fired: no loop has it")
    }

    /// Only the main thread uses it.
    private final class Count: @unchecked Sendable {
        var value = 0
        var start = Instant.distantPast
    }
}
