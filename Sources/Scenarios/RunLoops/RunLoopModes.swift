import Authoring

/// Events that wait while a loop runs in another mode.
struct RunLoopModes: Scenario {
    static let name = "run-loop-modes"
    static let summary = "A timer and a source wait while a panel runs the loop in its own mode."
    static let lesson = """
        A run loop runs in one mode at a time, and only what was added to that mode counts. While a panel waits for \
        its answer in the modal mode, a timer in the default mode does not fire, and a source that is signaled is \
        not handled: both wait until the loop runs in the default mode again. That is what modes are for: the panel \
        gets its own events and no others. What has to continue in every mode belongs in the common modes, a set to \
        which the program adds the modes that it uses. Cocoa's set has the default, modal and event tracking modes \
        from the start; Core Foundation's, and the one here, has the default mode only.

        Each loop has modes of its own. That modes of two loops have the same name means nothing: what is in one is \
        not in the other.
        """
    static let guide: Guide? = .runLoops("Run Loop Modes")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case common
        case defaultOnly = "default-only"
        case notInSet = "not-in-set"
        case sameName = "same-name"

        var summary: String {
            switch self {
            case .common: "the clock's timer is in the common modes, and the modal mode is one of them"
            case .defaultOnly: "the clock's timer is in the default mode, and stands still while the panel is open"
            case .notInSet: "the timer is in the common modes, but the modal mode is not one of them"
            case .sameName: "a worker runs its own loop in a mode of that name, and expects the clock to tick there"
            }
        }

        var expectation: Expectation { self == .common ? .completes : .must(.assertion) }

        var unusedParameters: Set<String> { self == .sameName ? ["ticks"] : [] }
    }

    @Parameter("variant of the program") var variant = Variant.common
    @Parameter("time between two ticks of the clock", in: .milliseconds(1) ... .seconds(10))
    var tick = Duration.milliseconds(20)
    @Parameter("ticks for which the panel is open", in: 2...100) var ticks = 3

    var expectedDuration: Duration { tick * (ticks + 1) }

    func run() throws {
        if variant == .sameName { return try runModeOfSameName() }
        let loop = RunLoop.current
        if variant != .notInSet { try loop.addToCommonModes(.modalPanel) }
        let clock = Clock()
        let timer = Timer("clock", timeInterval: tick, repeats: true) { _ in
            clock.ticks += 1
            note("tick \(clock.ticks) in mode \(loop.currentMode?.name ?? "none")")
        }
        try loop.add(timer, to: variant == .defaultOnly ? .default : .common)
        let answer = InputSource("answer") { note("the panel is answered") }
        try loop.add(answer, to: .modalPanel)
        let user = try Thread("user") {
            try Thread.sleep(for: tick * ticks + tick / 2)
            try answer.signal()
            try loop.wakeUp()
        }
        while try loop.run(mode: .modalPanel) != .handledSource {}
        try check(clock.ticks > 0, "the clock stood still while the panel was open")
        try timer.invalidate()
        try user.join()
    }

    private func runModeOfSameName() throws {
        try RunLoop.current.add(
            Timer("clock", timeInterval: tick, repeats: true) { _ in note("tick") }, to: .modalPanel)
        let worker = try Thread("worker") {
            let exit = try RunLoop.current.run(mode: .modalPanel, until: .now + tick * 2)
            try check(exit != .finished, "the worker's loop has nothing to watch in its mode of the same name")
        }
        try worker.join()
    }

    /// Only the main thread uses it.
    private final class Clock: @unchecked Sendable {
        var ticks = 0
    }
}
