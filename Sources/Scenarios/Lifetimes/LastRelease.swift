import Authoring

/// An object that must be deallocated on the main thread, although another thread may release its last reference.
struct LastRelease: Scenario {
    static let name = "last-release"
    static let summary = "A worker uses a view of the main thread, and may be the last to release it."
    static let lesson = """
        An object ends on the thread that releases its last reference. A block that runs in the background and \
        mentions a view holds a reference to it, so if the user closes the view first, the view ends in the \
        background: it changes the tree of views there, which only the main thread may do. The worker does nothing \
        wrong by itself, and usually it is not the last.

        So let the main thread have the last reference: hand the worker's back to it, or give the worker none, and \
        look up the view on the main thread when the result is there. A weak reference that the worker turns into a \
        real one in the background brings the mistake back.
        """
    static let guide: Guide? = .classDesign("Thread Safety", "The Deallocation Problem")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case background
        case weakInBackground = "weak-in-background"
        case handedBack = "handed-back"
        case weakOnMain = "weak-on-main"

        var summary: String {
            switch self {
            case .background: "the worker releases its reference when it is done"
            case .weakInBackground: "the worker holds no reference, but takes one while it works"
            case .handedBack: "the worker lets the main thread release its reference"
            case .weakOnMain: "the worker holds no reference; the main thread looks whether the view is still there"
            }
        }

        var expectation: Expectation {
            switch self {
            case .background, .weakInBackground: .may(.misuse)
            case .handedBack, .weakOnMain: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.background
    @Parameter("how long the user looks at the view", in: .zero ... .seconds(10)) var look = Duration.milliseconds(1)
    @Parameter("how long the worker works", in: .zero ... .seconds(10)) var work = Duration.milliseconds(1)

    var expectedDuration: Duration { look + work }

    func run() throws {
        let main = Thread.current
        let loop = RunLoop.current
        let isDone = InputSource("the worker is done") {}
        try loop.add(isDone)
        let view = ManagedObject("view") { try precondition(onThread: main) }
        if variant == .background || variant == .handedBack { try view.retain() }
        let worker = try Thread("worker") {
            let hasTaken = try variant == .weakInBackground && view.retainIfAlive()
            try Thread.sleep(for: work)
            switch variant {
            case .background: try view.release()
            case .weakInBackground: if hasTaken { try view.release() }
            case .handedBack: try loop.perform { try view.release() }
            case .weakOnMain: try loop.perform { if try view.retainIfAlive() { try view.release() } }
            }
        }
        // The user closes the view.
        try Thread.sleep(for: look)
        try view.release()
        if variant == .handedBack || variant == .weakOnMain { try loop.run() }
        try worker.join()
    }
}
