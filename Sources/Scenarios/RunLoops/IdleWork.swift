import Authoring

/// Work that can wait until the loop has nothing else to do.
struct IdleWork: Scenario {
    static let name = "idle-work"
    static let summary = "Each key that is typed asks for a spell check, which takes longer than typing."
    static let lesson = """
        Not all work needs a thread of its own. A program that waits most of the time can do what is not urgent while \
        it waits: an observer is called when the loop is about to sleep, and does the work then. Requests that come \
        meanwhile are joined into one. Done in the handler of each event, the same work delays the next event, and is \
        done once for every one of them. While the idle work is done no event is handled, so it must be short, or be \
        done in pieces.
        """
    static let guide: Guide? = Guide(
        .threadingProgrammingGuide, chapter: "About Threaded Programming", section: "Alternatives to Threads")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case whenIdle = "when-idle"
        case inHandler = "in-handler"

        var summary: String {
            switch self {
            case .whenIdle: "an observer checks the spelling once, when the loop is about to sleep"
            case .inHandler: "the handler of each key checks the spelling"
            }
        }

        var expectation: Expectation { self == .whenIdle ? .completes : .must(.assertion) }
    }

    @Parameter("variant of the program") var variant = Variant.whenIdle
    @Parameter("number of keys typed in a burst", in: 2...100) var keys = 3
    @Parameter("time that a spell check takes", in: .milliseconds(10) ... .seconds(1)) var work = Duration.milliseconds(
        50)

    var expectedDuration: Duration { work * 2 }

    func run() throws {
        let loop = RunLoop.current
        let text = Text()
        let keyboard = Port("keyboard") { key in
            let delay = Instant.now - text.typed
            note("key \(key.id) appears after \(delay.readable)")
            try check(delay < work, "key \(key.id) appeared \(delay.readable) after it was typed")
            text.isUnchecked = true
            if variant == .inHandler { try checkSpelling(text) }
        }
        try loop.add(keyboard)
        try loop.add(
            RunLoopObserver("idle", for: .beforeWaiting) { _ in
                if text.isUnchecked { try checkSpelling(text) }
                try loop.stop()
            })
        text.typed = .now
        for key in 1...keys { try keyboard.send(PortMessage(key)) }
        while try loop.run() != .stopped {}
        try check(text.checks == 1, "the spelling was checked \(text.checks) times")
    }

    private func checkSpelling(_ text: Text) throws {
        note("checks the spelling")
        try Thread.sleep(for: work)
        text.isUnchecked = false
        text.checks += 1
    }

    /// Only the main thread uses it.
    private final class Text: @unchecked Sendable {
        var typed = Instant.distantPast
        var isUnchecked = false
        var checks = 0
    }
}
