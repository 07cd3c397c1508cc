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
        which the program adds the modes that it uses.
        """
    static let guide: Guide? = .runLoops("Run Loop Modes")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case common
        case defaultOnly = "default-only"
        case notInSet = "not-in-set"

        var summary: String {
            switch self {
            case .common: "the clock's timer is in the common modes, and the modal mode is one of them"
            case .defaultOnly: "the clock's timer is in the default mode, and stands still while the panel is open"
            case .notInSet: "the timer is in the common modes, but the modal mode is not one of them"
            }
        }

        var expectation: Expectation { self == .common ? .completes : .must(.assertion) }
    }

    @Parameter("variant of the program") var variant = Variant.common
    @Parameter("time between two ticks of the clock", in: .milliseconds(1) ... .seconds(10))
    var tick = Duration.milliseconds(20)
    @Parameter("ticks for which the panel is open", in: 2...100) var ticks = 3

    func run() throws {
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

    /// Only the main thread uses it.
    private final class Clock: @unchecked Sendable {
        var ticks = 0
    }
}
