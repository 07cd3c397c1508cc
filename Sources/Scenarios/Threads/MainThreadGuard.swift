import Authoring

/// An object that belongs to the main thread, used from another one.
struct MainThreadGuard: Scenario {
    static let name = "main-thread-guard"
    static let summary = "A worker has a result for a view that only the main thread may use."
    static let lesson = """
        Views belong to the main thread. A worker that changes one directly usually gets away with it, until the main \
        thread draws at the same moment; the mistake then shows somewhere else. An object that checks at each entry \
        which thread calls it finds the mistake at once, in every run, and names its line. The fix is to pass the \
        result to the main thread, which changes the view itself.
        """
    static let guide: Guide? = .basics("Threads and Your User Interface")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case unguarded
        case guarded
        case passedToMain = "passed-to-main"

        var summary: String {
            switch self {
            case .unguarded: "the worker changes the view while the main thread draws it"
            case .guarded: "the view checks which thread calls it"
            case .passedToMain: "the worker puts its result in a queue, and the main thread changes the view"
            }
        }

        var expectation: Expectation {
            switch self {
            case .unguarded: .must(.race)
            case .guarded: .must(.misuse)
            case .passedToMain: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.unguarded

    /// A view, which belongs to the main thread.
    private struct View: Sendable {
        let isGuarded: Bool
        let owner: Thread
        let title = Shared("title", 0)

        func setTitle(_ number: Int, file: StaticString = #fileID, line: UInt = #line) throws {
            if isGuarded { try precondition(onThread: owner, file: file, line: line) }
            try title.write(number)
        }

        func draw() throws {
            if isGuarded { try precondition(onThread: owner) }
            let number = try title.read()
            note("draws title \(number)")
        }
    }

    func run() throws {
        let view = View(isGuarded: variant != .unguarded, owner: .current)
        let results = try BoundedQueue<Int>("results", capacity: 1)
        let worker = try Thread("worker") {
            if variant == .passedToMain { try results.put(42) } else { try view.setTitle(42) }
        }
        if variant == .passedToMain, let result = try results.take() { try view.setTitle(result) }
        try view.draw()
        try worker.join()
    }
}
