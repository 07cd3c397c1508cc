import Authoring

/// A run loop that another thread changes, or runs.
struct RunLoopOtherThread: Scenario {
    static let name = "run-loop-other-thread"
    static let summary = "A worker adds an input source to the main thread's run loop."
    static let lesson = """
        A run loop belongs to its thread. What it watches is not protected by a lock, because only that thread looks \
        at it; another thread that adds a source changes the loop while it runs. A Cocoa program that does so may \
        crash much later, somewhere else. Core Foundation's loops have a lock, but changing a loop from outside is a \
        bad idea there too. threadlab names the misuse at the call.

        Other threads may wake a loop, stop it, signal its sources and send to its ports. For everything else they \
        ask its thread: `perform` passes a block to the loop, which makes the change itself.
        """
    static let guide: Guide? = .runLoops("Thread Safety and Run Loop Objects")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case added
        case ran
        case performed

        var summary: String {
            switch self {
            case .added: "the worker adds the source itself"
            case .ran: "the worker runs the main thread's loop"
            case .performed: "the worker asks the loop's thread to add the source"
            }
        }

        var expectation: Expectation { self == .performed ? .completes : .must(.misuse) }
    }

    @Parameter("variant of the program") var variant = Variant.added

    func run() throws {
        let loop = RunLoop.current
        let isAdded = Shared("source is added", false)
        try loop.add(InputSource("keeps the loop running") {})
        let source = InputSource("worker's source") { note("the source is performed") }
        let worker = try Thread("worker") {
            switch variant {
            case .added: try loop.add(source)
            case .ran: try loop.run()
            case .performed:
                try loop.perform {
                    try loop.add(source)
                    try isAdded.write(true)
                }
            }
        }
        if variant == .performed {
            while try !isAdded.read() { try loop.run() }
        }
        try worker.join()
        try source.signal()
        try loop.run()
    }
}
