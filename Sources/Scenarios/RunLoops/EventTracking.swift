import Authoring

/// A handler that follows the mouse until its button is released.
struct EventTracking: Scenario {
    static let name = "event-tracking"
    static let summary = "A handler follows the mouse while a clock should continue to tick."
    static let lesson = """
        A run loop fires timers and handles sources only while it runs. A handler that reads events by itself until \
        the mouse button is released goes past the loop: until it returns, no timer fires and no source is handled. \
        A handler that runs the loop in the event tracking mode waits for the same events, and what was added to the \
        common modes continues.
        """
    static let guide: Guide? = .runLoops("The Run Loop Sequence of Events")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case trackingMode = "tracking-mode"
        case ownLoop = "own-loop"

        var summary: String {
            switch self {
            case .trackingMode: "the handler runs the loop in the event tracking mode"
            case .ownLoop: "the handler takes the events from a queue, past the run loop"
            }
        }

        var expectation: Expectation { self == .trackingMode ? .completes : .must(.assertion) }
    }

    @Parameter("variant of the program") var variant = Variant.trackingMode
    @Parameter("time between two events of the mouse", in: .milliseconds(2) ... .seconds(1))
    var pause = Duration.milliseconds(20)
    @Parameter("number of times that the mouse is moved", in: 2...50) var moves = 2

    var expectedDuration: Duration { pause * (moves + 1) }

    func run() throws {
        let loop = RunLoop.current
        try loop.addToCommonModes(.eventTracking)
        let seen = Seen()
        let clock = Timer("clock", timeInterval: pause / 2, repeats: true) { _ in seen.ticks += 1 }
        try loop.add(clock, to: .common)
        let mouse = Port("mouse") { _ in seen.events += 1 }
        try loop.add(mouse, to: .eventTracking)
        let queue = try BoundedQueue<Int>("mouse events", capacity: moves)
        let button = InputSource("mouse button") {
            let before = seen.ticks
            while seen.events < moves {
                if variant == .trackingMode {
                    try loop.run(mode: .eventTracking)
                } else {
                    _ = try queue.take()
                    seen.events += 1
                }
            }
            note("the button is released after \(seen.ticks - before) ticks")
            try check(seen.ticks > before, "the clock did not tick while the mouse was followed")
        }
        try loop.add(button)
        let user = try Thread("user") {
            try button.signal()
            try loop.wakeUp()
            for move in 1...moves {
                try Thread.sleep(for: pause)
                if variant == .trackingMode { try mouse.send(PortMessage(move)) } else { try queue.put(move) }
            }
        }
        while seen.events < moves { try loop.run() }
        try user.join()
    }

    /// Only the main thread uses it.
    private final class Seen: @unchecked Sendable {
        var ticks = 0
        var events = 0
    }
}
